import Type, { type Static } from 'typebox';
import type { ValidationIssue } from '../platform/http/problem.ts';

export const CostSchema = Type.Object(
  {
    amount: Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'In the minor unit of the currency, taxes included: cents for EUR, whole yen for JPY. Negative for a refund.',
      examples: [8_450],
    }),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'An ISO 4217 code: three capital letters.',
      examples: ['EUR'],
    }),
  },
  { $id: 'Cost', additionalProperties: false },
);
export type Cost = Static<typeof CostSchema>;

const currencies = new Set(Intl.supportedValuesOf('currency'));

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** A code that matches the pattern and names no currency. */
export function currencyIssues({ cost }: { cost?: Cost }): ValidationIssue[] {
  if (!cost || isCurrency(cost.currency)) return [];
  return [{ pointer: '/cost/currency', detail: `${cost.currency} is not a currency of ISO 4217.` }];
}
