export {
  type Customer,
  type CustomerRow,
  CustomerSchema,
  customerColumns,
  customerFields,
  customerOf,
  customerParameters,
  customerRow,
  customerValues,
  exampleCustomer,
} from './customer.ts';
