import type { FilterField } from '../../table/filter-bar.tsx';
import type { Texts } from '../../texts/texts.ts';
import { maintenanceFieldTypes } from './maintenance-search.ts';

export function maintenanceFields({ maintenance }: Texts): FilterField[] {
  const options: Record<string, Record<string, string>> = {
    type: maintenance.types,
    source: maintenance.sourceNames,
  };
  return Object.entries(maintenanceFieldTypes).map(([field, type]) => ({
    field,
    type,
    label: maintenance.fields[field as keyof typeof maintenanceFieldTypes],
    ...(options[field] && {
      options: Object.entries(options[field]).map(([value, label]) => ({ value, label })),
    }),
  }));
}
