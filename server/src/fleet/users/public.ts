export {
  type Customer,
  type CustomerRow,
  CustomerSchema,
  customerColumns,
  customerFields,
  customerOf,
  customerRow,
  customerValues,
  exampleCustomer,
} from './customer.ts';
