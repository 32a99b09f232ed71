import type { Incident, IncidentRequest } from '@motorpool/client';

/** What people change of an incident, in the order in which it is shown. */
const draftFields = [
  'title',
  'vehicleOperable',
  'isResolved',
  'incidentTimestamp',
  'location',
  'incidentType',
  'cause',
  'description',
  'notes',
  'damages',
  'customer',
] as const;
export type DraftField = (typeof draftFields)[number];
export type Draft = Pick<IncidentRequest, DraftField>;

export function draftOf(incident: Draft | Incident): Draft {
  const entries = draftFields.map((field) => [field, incident[field]] as const);
  // Unknown values and empty lists are absent, as in answers.
  return Object.fromEntries(
    entries.filter(([, value]) => !(value === undefined || value === '' || isEmpty(value))),
  ) as Draft;
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export function differentFields(one: Draft, other: Draft): DraftField[] {
  return draftFields.filter((field) => !isEqual(one[field], other[field]));
}

export type Side = 'mine' | 'theirs';

/** A field that differs, and which side should win where only one of them changed it. */
export type Difference = { field: DraftField; suggested: Side | undefined };

export function compareDrafts(base: Draft, mine: Draft, theirs: Draft): Difference[] {
  return differentFields(mine, theirs).map((field) => ({
    field,
    suggested: isEqual(base[field], theirs[field])
      ? 'mine'
      : isEqual(base[field], mine[field])
        ? 'theirs'
        : undefined,
  }));
}

export function mergeDrafts(
  mine: Draft,
  theirs: Draft,
  choices: Partial<Record<DraftField, Side>>,
): Draft {
  const chosen = draftFields.map((field) => [
    field,
    (choices[field] === 'mine' ? mine : theirs)[field],
  ]);
  return draftOf(Object.fromEntries(chosen) as Draft);
}
