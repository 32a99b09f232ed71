export {
  type Customer,
  type CustomerRow,
  CustomerSchema,
  customerColumns,
  customerFields,
  customerOf,
  customerValues,
  exampleCustomer,
} from './customer.ts';
