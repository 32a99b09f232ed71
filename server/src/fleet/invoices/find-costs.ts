import Type, { type Static } from 'typebox';
import { ReadBudget } from '../../platform/db/read-budget.ts';
import { maxAnswerBytes } from '../../platform/http/large-json.ts';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody } from '../../platform/http/problem.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { startOfTwelveMonths } from '../../platform/time/months.ts';
import type { Dependencies } from '../dependencies.ts';
import { readCalendar } from '../profile/public.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';
import { decimal, minorUnitDigits } from './calculation/money.ts';
import {
  CostRequestSchema,
  type Grouping,
  parseCostRequest,
  periodIssues,
} from './costs/cost-request.ts';
import { costSql } from './costs/cost-sql.ts';
import { costKinds, shortText } from './invoice-line.ts';

/** Without the bounds of an amount: of many, it may be beyond what a number of JSON tells exactly. */
function sum(description: string, example: number) {
  return Type.Integer({
    description: `${description} In the minor unit of the currency.`,
    examples: [example],
  });
}

const CostTotalSchema = Type.Object(
  {
    month: Type.Optional(
      Type.String({ maxLength: 7, description: 'The month.', examples: ['2026-10'] }),
    ),
    vehicleId: Type.Optional(
      Type.String({
        maxLength: maxVehicleIdLength,
        description: 'The vehicle; absent for what is spent on none.',
        examples: [exampleVehicle.asset.id],
      }),
    ),
    kind: Type.Optional(
      Type.Enum([...costKinds], { type: 'string', description: 'What it was spent on.' }),
    ),
    supplier: Type.Optional(
      Type.Object(
        {
          name: shortText('Its name.', 'Werkstatt Mitte GmbH', 500),
          vatId: Type.Optional(shortText('Its VAT identification number.', 'DE123456788', 50)),
        },
        {
          $id: 'CostSupplier',
          additionalProperties: false,
          description: 'The supplier; absent for costs of the logbook.',
        },
      ),
    ),
    currency: Type.String({ maxLength: 3, description: 'An ISO 4217 code.', examples: ['EUR'] }),
    amount: sum('Taxes included.', 23_532),
    taxAmount: sum('The VAT in it, as far as invoices tell.', 3_757),
    logbookAmount: sum('The part of it that entries of the logbook tell, and no invoice.', 0),
    distance: Type.Optional(
      Type.Number({
        description:
          'The km that the vehicles of the row were driven in its time, by their odometers; absent where none is known.',
        examples: [1_250.5],
      }),
    ),
    costPerKm: Type.Optional(
      Type.String({
        maxLength: 50,
        description:
          'What those vehicles cost for each km, in the major unit of the currency, with four digits more than it has. ' +
          'An exact decimal, as a string.',
        examples: ['0.188181'],
      }),
    ),
  },
  { $id: 'CostTotal', additionalProperties: false },
);
type CostTotal = Static<typeof CostTotalSchema>;

export const findCosts = operation({
  id: 'findCosts',
  method: 'POST',
  path: '/costs',
  tag: 'Invoices',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Sum up the costs of the fleet',
  description:
    'Returns totals by vehicle, month, kind and supplier, for each currency apart, of the lines of invoices (open, approved, ' +
    'disputed or paid; credit notes are subtracted) and of the costs in logbooks. An entry that a line of an invoice is linked to ' +
    'counts by the invoice alone. A line belongs to the day on which its service began, else to that of the service or the date of ' +
    'the invoice, and has its share of the VAT, and of allowances and charges on the invoice.',
  parameters: {},
  body: {
    schema: CostRequestSchema,
    required: false,
    parse: parseCostRequest,
    examples: {
      vehicles: {
        summary: 'The vehicles that cost most',
        value: {
          from: '2026-01-01',
          to: '2026-12-31',
          groupBy: ['vehicle'],
          sorting: [{ field: 'amount', direction: 'desc' }],
        },
      },
      months: {
        summary: 'What a vehicle costs, by month and kind',
        value: {
          from: '2026-01-01',
          to: '2026-12-31',
          groupBy: ['month', 'kind'],
          filters: [{ field: 'vehicleId', value: exampleVehicle.asset.id }],
        },
      },
    },
  },
  responses: {
    200: pageResponse('FindCostsResponse', 'A page of totals.', CostTotalSchema, {
      vehicleId: exampleVehicle.asset.id,
      currency: 'EUR',
      amount: 23_532,
      taxAmount: 3_757,
      logbookAmount: 0,
      distance: 1_250.5,
      costPerKm: '0.188181',
    } satisfies CostTotal),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body: request }, { db, clock }: Dependencies) {
    const { timeZone, today } = await readCalendar(db, provider.id, clock.now());
    const to = request.to ?? today;
    const from = request.from ?? startOfTwelveMonths(to);
    const issues = periodIssues(from, to);
    if (issues.length > 0) throw invalidBody(issues);
    const { text, values } = costSql(provider.id, request, { from, to }, timeZone);
    const budget = new ReadBudget(maxAnswerBytes);
    const rows = await db.queryUnprepared<CostRow>(text, values, budget);
    const totals = rows.filter(({ place }) => place !== null);
    const pagination = { ...request.page, totalEntries: rows[0]?.total ?? 0 };
    const itemOf = (row: CostRow) => totalOf(row, request.groupBy);
    return { status: 200, body: pageBody(totals, { pagination, budget }, { itemOf }) };
  },
});

/** Sums arrive as text. */
type CostRow = {
  place: number | null;
  total: number;
  month: string;
  vehicle: string;
  kind: CostTotal['kind'];
  supplier_name: string | null;
  supplier_vat_id: string | null;
  currency: string;
  amount: string;
  tax_amount: string;
  logbook_amount: string;
  distance: number | null;
  driven_amount: string | null;
};

function totalOf(row: CostRow, groupBy: readonly Grouping[]): CostTotal {
  const { supplier_name: name, supplier_vat_id: vatId } = row;
  return {
    ...(groupBy.includes('month') && { month: row.month }),
    ...(groupBy.includes('vehicle') && row.vehicle !== '' && { vehicleId: row.vehicle }),
    ...(row.kind && { kind: row.kind }),
    ...(groupBy.includes('supplier') &&
      name !== null && { supplier: { name, ...(vatId !== null && { vatId }) } }),
    currency: row.currency,
    amount: Number(row.amount),
    taxAmount: Number(row.tax_amount),
    logbookAmount: Number(row.logbook_amount),
    ...(row.distance !== null && { distance: Math.round(row.distance * 1_000) / 1_000 }),
    ...perKm(row),
  };
}

function perKm({ currency, distance, driven_amount: cost }: CostRow): Pick<CostTotal, 'costPerKm'> {
  if (distance === null || distance < 1 || cost === null) return {};
  const digits = minorUnitDigits(currency);
  const major = decimal(cost).div(decimal(10).pow(digits));
  return { costPerKm: major.div(distance).toFixed(digits + 4) };
}
