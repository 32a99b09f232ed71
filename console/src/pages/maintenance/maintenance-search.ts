import type { Filter, ListPlannedMaintenanceRequest, MaintenanceReport } from '@motorpool/client';
import { parseDay } from '../../formats/days.ts';
import {
  defaultPageSize,
  type FieldType,
  parseFilters,
  parseSorting,
  parseTableSearch,
  type TableSearch,
  toFilter,
} from '../../table/table-search.ts';

export const planStates = ['overdue', 'due_soon', 'planned'] as const;
export type PlanState = (typeof planStates)[number];

/** What the page shows, as its address has it. */
export type MaintenanceSearch = Omit<TableSearch, 'view'> & {
  view?: 'calendar';
  /** The month of the calendar, such as 2027-03. */
  month?: string | undefined;
  /** The day of the calendar that is open. */
  day?: string | undefined;
  status?: PlanState;
  /** The report that is open, with its vehicle. */
  report?: string;
  vehicle?: string;
};

export function parseMaintenanceSearch(search: Record<string, unknown>): MaintenanceSearch {
  const { view, month, day, status, report, vehicle } = search;
  const { view: _, ...table } = parseTableSearch(search);
  const known = planStates.find((one) => one === status);
  return {
    ...table,
    ...(view === 'calendar' && { view }),
    // Undefined rather than left out: the router keeps what the address has of the rest.
    month: parseDay(`${month}-01`)?.slice(0, 7),
    day: parseDay(day),
    ...(known && { status: known }),
    ...(typeof report === 'string' && typeof vehicle === 'string' && { report, vehicle }),
  };
}

/** The fields that people filter by; their labels are in the catalogues. */
export const maintenanceFieldTypes = {
  type: 'choice',
  source: 'choice',
  title: 'text',
  vehicleId: 'text',
  dueDate: 'date',
  dueOdometer: 'number',
  forecastDate: 'date',
  lastDoneDate: 'date',
} as const satisfies Record<string, FieldType>;

const typeOf = (field: string): FieldType =>
  maintenanceFieldTypes[field as keyof typeof maintenanceFieldTypes] ?? 'text';

/** Each is looked for by itself: one may be of the plate, and another of the title. */
const wordsOf = (text = ''): string[] => text.split(/\s+/u).filter(Boolean).slice(0, 20);

/** What an address looks for, in the list and in the calendar. */
export const maintenanceFilters = (search: MaintenanceSearch): Filter[] => [
  ...wordsOf(search.q).map((value) => ({ value })),
  ...(search.status ? [{ field: 'status', value: search.status }] : []),
  ...parseFilters(search).map((filter) => toFilter(filter, typeOf(filter.field))),
];

/** What the list of an address asks the service for. */
export function maintenanceRequest(search: MaintenanceSearch): ListPlannedMaintenanceRequest {
  return {
    filters: maintenanceFilters(search),
    ...(search.sort && { sorting: parseSorting(search.sort) }),
    pagination: { pageNumber: search.page ?? 0, pageSize: search.size ?? defaultPageSize },
  };
}

/** The day that counts: the one on which it is due, or reaches its odometer, whichever comes first. */
export function soonestOf({ dueDate, forecastDate }: MaintenanceReport): string | undefined {
  return [dueDate, forecastDate].filter((day) => day !== undefined).sort()[0];
}

/** Whether the day that counts is forecast by the distance. */
export function isForecast(report: MaintenanceReport): boolean {
  return report.forecastDate !== undefined && soonestOf(report) !== report.dueDate;
}
