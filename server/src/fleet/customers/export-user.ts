import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { recordExport } from '../audit/public.ts';
import type { CustomerData } from '../customer-data.ts';
import type { Dependencies } from '../dependencies.ts';
import { customerParameters } from '../users/public.ts';
import { documentProperties, exampleDocument, readDocument } from './customer-document.ts';
import { customerKey, requireCustomer } from './customer-scope.ts';

/** More than fit the answer, which is bounded in bytes. */
const allRecords = 1_000_000;

export function exportUser(data: readonly CustomerData[]) {
  return operation({
    id: 'exportUser',
    method: 'GET',
    path: '/users/{mobilityProviderCountryCode}/{mobilityProviderCode}/{customerId}/export',
    tag: 'Users',
    role: 'admin',
    origin: 'motorpool',
    summary: 'Export all that is kept of a customer',
    description:
      'Returns all records that name the customer as one document (GDPR, article 15), as of one moment. The audit trail records ' +
      'that it was read; the trail itself, which repeats what the records have and had, is not part of it. Files are named, and read by ' +
      'their own operations.',
    parameters: customerParameters,
    responses: {
      200: {
        description: 'All records.',
        schema: Type.Object(
          {
            exportedAt: Type.String({
              format: 'date-time',
              description: 'The moment that it is of.',
            }),
            ...documentProperties(data),
          },
          { $id: 'UserExport', additionalProperties: false },
        ),
        example: { exportedAt: '2026-11-15T09:30:00.000Z', ...exampleDocument(data) },
      },
    },
    notFound: ['customer'],
    problems: {
      422: 'The records have more than 16 MiB: they are found by the searches, in pages.',
    },
    workload: 'search',
    // The audit trail records it.
    needsPrimary: true,
    async handler({ provider, parameters }, { db, clock }: Dependencies) {
      const customer = customerKey(provider, parameters);
      await requireCustomer(db, data, customer);
      await recordExport(db, customer);
      return db.transaction(async (tx) => {
        const head = { exportedAt: clock.now().toISOString() };
        const body = await readDocument(tx, data, provider, customer, allRecords, head);
        return { status: 200, body };
      }, 'read only');
    },
  });
}
