import Type, { type Static } from 'typebox';
import { textParameter, uuidParameter } from '../../platform/http/path-parameter.ts';
import type { FieldTable } from '../../platform/search/field.ts';

/** A user reference. The pattern admits UUIDs of version 1 to 4 and of the RFC 9562 variant. */
export const CustomerSchema = Type.Object(
  {
    mobilityProviderCountryCode: Type.String({ minLength: 2, maxLength: 2, examples: ['DE'] }),
    mobilityProviderCode: Type.String({ minLength: 3, maxLength: 3, examples: ['MOB'] }),
    customerId: Type.String({
      format: 'uuid',
      pattern: '^.{14}[1-4].{4}[89abAB]',
      description: 'A UUID of version 1, 2, 3 or 4.',
      examples: ['52610fa1-c447-4ecb-95bc-7f8f6cc69ff9'],
    }),
  },
  { $id: 'Customer', additionalProperties: false },
);
export type Customer = Static<typeof CustomerSchema>;

export const exampleCustomer: Customer = {
  mobilityProviderCountryCode: 'DE',
  mobilityProviderCode: 'MOB',
  customerId: '52610fa1-c447-4ecb-95bc-7f8f6cc69ff9',
};

/** The path parameters that name a customer. */
export const customerParameters = {
  mobilityProviderCountryCode: textParameter(
    2,
    'Country code of the mobility provider, as it was recorded: DE is not de.',
    exampleCustomer.mobilityProviderCountryCode,
  ),
  mobilityProviderCode: textParameter(
    3,
    'Code of the mobility provider, as it was recorded.',
    exampleCustomer.mobilityProviderCode,
  ),
  customerId: uuidParameter('The UUID of the customer.', exampleCustomer.customerId),
};

export type CustomerRow = {
  customer_country_code: string | null;
  customer_provider_code: string | null;
  customer_id: string | null;
};

/** The columns of a customer in the table `alias`. */
export function customerColumns(alias: string): string {
  return ['customer_country_code', 'customer_provider_code', 'customer_id']
    .map((column) => `${alias}.${column}`)
    .join(', ');
}

export function customerRow(customer: Customer | undefined): CustomerRow {
  return {
    customer_country_code: customer?.mobilityProviderCountryCode ?? null,
    customer_provider_code: customer?.mobilityProviderCode ?? null,
    customer_id: customer?.customerId ?? null,
  };
}

/** The values of those columns. */
export function customerValues(customer: Customer | undefined): (string | null)[] {
  return Object.values(customerRow(customer));
}

export function customerOf(row: CustomerRow): Customer | undefined {
  const { customer_country_code, customer_provider_code, customer_id } = row;
  if (customer_country_code === null || customer_provider_code === null || customer_id === null) {
    return undefined;
  }
  return {
    mobilityProviderCountryCode: customer_country_code,
    mobilityProviderCode: customer_provider_code,
    customerId: customer_id,
  };
}

/** The customer of a record as fields to filter and sort by. */
export function customerFields(prefix: string, alias: string): FieldTable {
  return {
    [`${prefix}mobilityProviderCountryCode`]: ['text', `${alias}.customer_country_code`],
    [`${prefix}mobilityProviderCode`]: ['text', `${alias}.customer_provider_code`],
    [`${prefix}customerId`]: ['uuid', `${alias}.customer_id`],
  };
}
