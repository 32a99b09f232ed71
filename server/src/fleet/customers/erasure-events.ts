import { recordEvents } from '../record-events.ts';
import {
  type ErasureRow,
  ErasureSchema,
  erasureColumns,
  erasureOf,
  exampleErasure,
} from './erasure.ts';

export const erasureEvents = recordEvents<ErasureRow>({
  type: 'user-erasure',
  name: 'UserErasure',
  description: 'The erasure of a customer, whom it does not name.',
  kinds: ['created', 'updated'],
  table: 'customer_erasures',
  alias: 'e',
  columns: erasureColumns,
  resource: erasureOf,
  subject: (id) => `/users/erasures/${id}`,
  schema: ErasureSchema,
  example: exampleErasure,
});
