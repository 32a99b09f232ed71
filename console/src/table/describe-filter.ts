import { parseDay } from '../formats/days.ts';
import type { Formats } from '../formats/formats.ts';
import type { Texts } from '../texts/texts.ts';
import { isOfDay } from './day-moments.ts';
import type { FilterField } from './filter-bar.tsx';
import { type FieldFilter, splitList, takesList } from './table-search.ts';

const mostValues = 3;

/** A filter in words. */
export function describeFilter(
  { field, operator, value }: FieldFilter,
  fields: readonly FilterField[],
  table: Texts['table'],
  formats: Formats,
): string {
  const known = fields.find((one) => one.field === field);
  const label = known?.label ?? (field || table.anyText);
  if (operator === 'exists')
    return `${label} ${value === 'false' ? table.isUnknown : table.isKnown}`;
  const shown = (one: string): string => {
    if (known?.type === 'boolean') return one === 'true' ? table.yes : table.no;
    if (known?.type === 'date' && parseDay(one)) return formats.date(one);
    if (known?.type === 'time' && !Number.isNaN(Date.parse(one)))
      return isOfDay(one, operator) ? formats.day(one) : formats.time(one);
    if (known?.type === 'number') return formats.number(Number(one), 2);
    return known?.options?.find((option) => option.value === one)?.label ?? one;
  };
  if (known?.type === 'boolean' && operator === 'eq') return `${label}: ${shown(value)}`;
  const values = takesList[operator] ? splitList(value) : [value];
  if (values.length > mostValues)
    return `${label}: ${table.operators[operator]} ${formats.number(values.length)}`;
  return `${label} ${table.operators[operator]} ${values.map(shown).join(', ')}`;
}
