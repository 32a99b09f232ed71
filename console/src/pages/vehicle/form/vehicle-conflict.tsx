import { ConflictDialog } from '../../../forms/conflict-dialog.tsx';
import { compareVersions, mergeVersions } from '../../../forms/versions.ts';
import { useLocalization } from '../../../texts/texts-provider.tsx';
import type { VehicleSaveConflict } from './use-save-vehicle.ts';
import { type Draft, type DraftField, draftFields, draftOf } from './vehicle-draft.ts';

type Props = {
  conflict: VehicleSaveConflict;
  isPending: boolean;
  onSave(draft: Draft): void;
  onTakeTheirs(): void;
  onClose(): void;
};

export function VehicleConflict({ conflict, onSave, ...rest }: Props) {
  const { fields } = useLocalization().texts.vehicleForm;
  const textOf = useFieldText();
  const { mine } = conflict;
  const theirs = draftOf(conflict.theirs);
  return (
    <ConflictDialog
      {...rest}
      differences={compareVersions(draftFields, draftOf(conflict.base), mine, theirs)}
      labelOf={(field) => fields[field]}
      textOf={(field, side) => textOf(field, side === 'mine' ? mine : theirs)}
      onSave={(choices) => onSave(mergeVersions(draftFields, mine, theirs, choices))}
    />
  );
}

/** A value of a vehicle in words. */
function useFieldText() {
  const { texts, formats } = useLocalization();
  return (field: DraftField, draft: Draft): string => {
    const value = draft[field];
    if (value === undefined) return texts.vehicleForm.unknown;
    if (typeof value === 'boolean') return value ? texts.table.yes : texts.table.no;
    if (field === 'firstRegistrationDate') return formats.date(String(value));
    if (field === 'evBatteryCapacity') return formats.kilowattHours(Number(value));
    if (field === 'iceTankCapacity') return formats.litres(Number(value));
    return String(value);
  };
}
