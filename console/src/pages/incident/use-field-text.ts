import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { useLocalization } from '../../texts/texts-provider.tsx';
import type { Draft, DraftField } from './incident-draft.ts';
import { shownKind } from './kind-names.ts';

/** A value of an incident in words. */
export function useFieldText() {
  const { texts, formats } = useLocalization();
  const { positions } = useAtlasNames();
  const { incident, table, severities, incidentKinds } = texts;
  return (field: DraftField, draft: Draft): string => {
    const value = draft[field];
    if (value === undefined) return incident.empty;
    if (typeof value === 'boolean') return value ? table.yes : table.no;
    if (field === 'damages')
      return (draft.damages ?? [])
        .map(({ position, title, severity, repaired }) =>
          [positions[position], title, repaired ? incident.repaired : severities[severity]].join(
            ' · ',
          ),
        )
        .join('\n');
    if (field === 'customer') return draft.customer?.customerId ?? incident.empty;
    if (field === 'incidentTimestamp') return formats.time(String(value));
    if (field === 'incidentType') return shownKind(String(value), incidentKinds);
    return String(value);
  };
}
