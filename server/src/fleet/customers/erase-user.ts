import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { tooManyRequests } from '../../platform/http/problem.ts';
import type { TransactionalJob } from '../../platform/jobs/job.ts';
import type { CustomerData } from '../customer-data.ts';
import type { Dependencies } from '../dependencies.ts';
import { readProfile } from '../profile/public.ts';
import { customerParameters } from '../users/public.ts';
import { customerKey, requireCustomer } from './customer-scope.ts';
import { ErasureSchema, erasureOf, exampleErasure } from './erasure.ts';
import {
  type ErasureJob,
  hasTooManyPending,
  maxPendingErasures,
  pendingErasure,
} from './erasure-store.ts';

const retryAfterSeconds = 30;

export function eraseUser(
  data: readonly CustomerData[],
  job: TransactionalJob<ErasureJob, Dependencies>,
) {
  return operation({
    id: 'eraseUser',
    method: 'DELETE',
    path: '/users/{mobilityProviderCountryCode}/{mobilityProviderCode}/{customerId}',
    tag: 'Users',
    role: 'admin',
    origin: 'motorpool',
    summary: 'Erase a customer',
    description:
      'Erases the customer from all records (GDPR, article 17), soon after the answer. The history of the vehicles stays without ' +
      'the person: drivers are removed and assignments have no customer; incidents, logbook and checklist entries lose the ' +
      'reference, all texts that may describe a person, and the names of their files; what the audit trail says of the customer becomes ' +
      'unreadable. Dates, odometers, costs, categories and damages stay, and so do the contents of files. Where the profile says ' +
      '`erasePositionsWithCustomer`, the positions of vehicles while the customer was one of their drivers are erased, too. Calls while an erasure is pending ' +
      'join it; once nothing is kept of the customer, the answer is 404.',
    parameters: customerParameters,
    responses: {
      202: {
        description: 'The erasure, which is pending.',
        schema: ErasureSchema,
        example: exampleErasure,
        headers: { Location: 'The path of the erasure.' },
      },
    },
    notFound: ['customer'],
    async handler({ provider, parameters, caller }, { db, jobs, clock }: Dependencies) {
      const customer = customerKey(provider, parameters);
      const { kind, clientId, subject, address, requestId } = caller();
      const actor = { kind, clientId, subject, address, requestId, operation: 'eraseUser' };
      return db.transaction(async (tx) => {
        await requireCustomer(tx, data, customer);
        const { profile } = await readProfile(tx, provider.id);
        const row = await pendingErasure(tx, customer, {
          now: clock.now(),
          erasesPositions: profile.erasePositionsWithCustomer,
        });
        if (await hasTooManyPending(tx, provider.id)) {
          const detail = `${maxPendingErasures} erasures are pending: ask for more when some are completed.`;
          throw tooManyRequests(detail, retryAfterSeconds);
        }
        await jobs.add(tx, job, { provider: provider.id, erasureId: row.id, actor });
        const headers = { location: locationOf(provider, 'users', 'erasures', row.id) };
        return { status: 202, headers, body: erasureOf(row) };
      });
    },
  });
}
