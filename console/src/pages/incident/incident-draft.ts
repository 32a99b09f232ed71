import type { Incident, IncidentRequest } from '@motorpool/client';
import {
  type Choices,
  compareVersions,
  type Difference,
  differentFields,
  mergeVersions,
} from '../../forms/versions.ts';

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

export const differentDraftFields = (one: Draft, other: Draft): DraftField[] =>
  differentFields(draftFields, one, other);

export const compareDrafts = (base: Draft, mine: Draft, theirs: Draft): Difference<DraftField>[] =>
  compareVersions(draftFields, base, mine, theirs);

export const mergeDrafts = (mine: Draft, theirs: Draft, choices: Choices<DraftField>): Draft =>
  draftOf(mergeVersions(draftFields, mine, theirs, choices));
