import Type, { type Static } from 'typebox';
import type { ValidationIssue } from '../../../platform/http/problem.ts';
import type { Parsed } from '../../../platform/http/request-part.ts';
import type { Direction } from '../../../platform/search/operators.ts';
import { pageRequestProperties } from '../../../platform/search/page.ts';
import { type ParsedSearch, parseSearch } from '../../../platform/search/parse-search.ts';
import { searchProperties, sortingSchema } from '../../../platform/search/request-schema.ts';
import { monthsBetween } from '../../../platform/time/months.ts';
import { costItems } from './cost-items.ts';

const groupings = ['vehicle', 'month', 'kind', 'supplier'] as const;
export type Grouping = (typeof groupings)[number];

type CostSorting = { field: Grouping | 'amount'; direction: Direction };

// Bounds the odometers that are looked up, and the size of a row's history.
const maxMonths = 120;
// The month after the last one has to have a year of four digits, too.
const endOfCalendar = '9999-12-01';

const { filters } = searchProperties(costItems.fields);

export const CostRequestSchema = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'The first day; when left out, the first of the month eleven months before the last day.',
        examples: ['2026-01-01'],
      }),
    ),
    to: Type.Optional(
      Type.String({
        format: 'date',
        description: `The last day, by default today; at most ${maxMonths} months after the first.`,
        examples: ['2026-12-31'],
      }),
    ),
    groupBy: Type.Optional(
      Type.Array(Type.Enum([...groupings], { type: 'string' }), {
        maxItems: groupings.length,
        uniqueItems: true,
        default: ['vehicle'],
        description:
          'What the rows are totals of, apart from the currency. An empty list asks for the whole.',
        examples: [['vehicle', 'month']],
      }),
    ),
    includeDistance: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether rows have distance and costPerKm, which takes longer.',
      }),
    ),
    filters,
    sorting: Type.Optional(
      sortingSchema(
        'By amount, or by what the rows are grouped by; when left out, by month, vehicle, kind, supplier. ' +
          `The fields: amount, ${groupings.join(', ')}.`,
        groupings.length + 1,
      ),
    ),
    ...pageRequestProperties,
  },
  { $id: 'CostRequest', additionalProperties: false },
);
type Sent = Static<typeof CostRequestSchema>;

export type CostRequest = Pick<ParsedSearch, 'filters' | 'page'> &
  Required<Pick<Sent, 'groupBy' | 'includeDistance'>> &
  Pick<Sent, 'from' | 'to'> & { sorting: readonly CostSorting[] };

export function parseCostRequest(sent: Sent): Parsed<CostRequest> {
  const { groupBy = ['vehicle'], includeDistance = true, sorting = [], from, to, ...rest } = sent;
  const parsed = parseSearch(costItems, rest);
  const issues = 'issues' in parsed ? parsed.issues : [];
  issues.push(...(to === undefined || from === undefined ? [] : periodIssues(from, to)));
  const keys: CostSorting[] = [];
  for (const [index, { field: name, direction = 'asc' }] of sorting.entries()) {
    const field = ([...groupBy, 'amount'] as const).find((one) => one === name);
    if (field) keys.push({ field, direction });
    else {
      const detail = `The rows are not grouped by ${JSON.stringify(name)}: sort by ${[...groupBy, 'amount'].join(', ')}.`;
      issues.push({ pointer: `/sorting/${index}/field`, detail });
    }
  }
  if ('issues' in parsed || issues.length > 0) return { issues };
  const { filters, page } = parsed.value;
  return {
    value: {
      filters,
      page,
      groupBy,
      includeDistance,
      sorting: keys,
      ...(from && { from }),
      ...(to && { to }),
    },
  };
}

export function periodIssues(from: string, to: string): ValidationIssue[] {
  if (to >= endOfCalendar)
    return [{ pointer: '/to', detail: `to must be before ${endOfCalendar}; found ${to}.` }];
  if (from > to)
    return [
      { pointer: '/from', detail: `from must not be after to, which is ${to}; found ${from}.` },
    ];
  if (monthsBetween(from, to) < maxMonths) return [];
  return [
    {
      pointer: '/from',
      detail: `from must be less than ${maxMonths} months before to, which is ${to}; found ${from}.`,
    },
  ];
}
