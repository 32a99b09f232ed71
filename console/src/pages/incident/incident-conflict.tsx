import { ConflictDialog } from '../../forms/conflict-dialog.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import {
  compareDrafts,
  type Draft,
  type DraftField,
  draftOf,
  mergeDrafts,
} from './incident-draft.ts';
import { useFieldText } from './use-field-text.ts';
import type { IncidentSaveConflict } from './use-save-incident.ts';

type Props = {
  conflict: IncidentSaveConflict;
  isPending: boolean;
  onSave(draft: Draft): void;
  onTakeTheirs(): void;
  onClose(): void;
};

export function IncidentConflict({ conflict, onSave, ...rest }: Props) {
  const { incident: texts, incidentFields, incidents } = useTexts();
  const textOf = useFieldText();
  const { mine } = conflict;
  const theirs = draftOf(conflict.theirs);
  const labelOf = (field: DraftField) =>
    field === 'damages'
      ? incidents.damages
      : field === 'customer'
        ? texts.customer
        : incidentFields[field];
  return (
    <ConflictDialog
      {...rest}
      differences={compareDrafts(draftOf(conflict.base), mine, theirs)}
      labelOf={labelOf}
      textOf={(field, side) => textOf(field, side === 'mine' ? mine : theirs)}
      onSave={(choices) => onSave(mergeDrafts(mine, theirs, choices))}
    />
  );
}
