import { severities } from '../../damage-atlas/damage.ts';
import type { AtlasNames } from '../../damage-atlas/names.ts';
import type { FilterField } from '../../table/filter-bar.tsx';
import type { FieldType } from '../../table/table-search.ts';
import type { Texts } from '../../texts/texts.ts';

/** The fields of an incident that people filter by; their labels are in the catalogues. */
const types: Record<keyof Texts['incidentFields'], FieldType> = {
  licensePlate: 'text',
  title: 'text',
  isResolved: 'boolean',
  vehicleOperable: 'boolean',
  'damages.severity': 'choice',
  'damages.repaired': 'boolean',
  'damages.position': 'choice',
  'damages.damageType': 'text',
  reportTimestamp: 'time',
  incidentTimestamp: 'time',
  location: 'text',
  incidentType: 'text',
  cause: 'text',
  description: 'text',
  notes: 'text',
  ocrStatus: 'choice',
  'blobs.filename': 'text',
  vehicleId: 'text',
  updatedAt: 'time',
};

export function incidentFields(texts: Texts, { positions }: AtlasNames): FilterField[] {
  const options = (names: Readonly<Record<string, string>>, values = Object.keys(names)) =>
    values.map((value) => ({ value, label: names[value] ?? value }));
  const choices: Record<string, FilterField['options']> = {
    'damages.severity': options(texts.severities, [...severities]),
    'damages.position': options(positions),
    ocrStatus: options(texts.ocrStates),
  };
  return Object.entries(types).map(([field, type]) => ({
    field,
    type,
    label: texts.incidentFields[field as keyof typeof types],
    ...(choices[field] && { options: choices[field] }),
  }));
}

export const incidentFieldType = (field: string): FieldType =>
  types[field as keyof typeof types] ?? 'text';
