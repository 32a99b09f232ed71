import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import type { CustomerData } from '../customer-data.ts';
import type { Dependencies } from '../dependencies.ts';
import { customerParameters } from '../users/public.ts';
import { documentProperties, exampleDocument, readDocument } from './customer-document.ts';
import { customerKey, requireCustomer } from './customer-scope.ts';

/** Of each kind: together they stay below the bound of an answer, however large each is. */
const shownRecords = 25;

export function getUser(data: readonly CustomerData[]) {
  return operation({
    id: 'getUser',
    method: 'GET',
    path: '/users/{mobilityProviderCountryCode}/{mobilityProviderCode}/{customerId}',
    tag: 'Users',
    role: 'viewer',
    origin: 'motorpool',
    summary: 'Get what concerns a customer',
    description:
      'Returns the vehicles that the customer drives and has driven, with dates, and the incidents, logbook entries and ' +
      `checklist entries that name the customer: of each the newest ${shownRecords}, and how many there are.`,
    parameters: customerParameters,
    responses: {
      200: {
        description: 'The customer.',
        schema: Type.Object(documentProperties(data), {
          $id: 'UserOverview',
          additionalProperties: false,
        }),
        example: exampleDocument(data),
      },
    },
    notFound: ['customer'],
    workload: 'search',
    // What was just written of the customer, or erased, is told as by the read of any record.
    needsPrimary: true,
    async handler({ provider, parameters }, { db }: Dependencies) {
      const customer = customerKey(provider, parameters);
      return db.transaction(async (tx) => {
        await requireCustomer(tx, data, customer);
        const body = await readDocument(tx, data, provider, customer, shownRecords);
        return { status: 200, body };
      }, 'read only');
    },
  });
}
