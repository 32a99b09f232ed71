import { Icon } from '../../../icons/icon.tsx';
import { ButtonLink } from '../../../layout/button-link.tsx';
import { useMay } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

/** Leads to the form for a new vehicle, for those who may add one. */
export function AddVehicleLink() {
  const { vehicleForm } = useTexts();
  if (!useMay('editor')) return null;
  return (
    <ButtonLink to="/vehicles/new" leftSection={<Icon name="plus" size={16} />}>
      {vehicleForm.add}
    </ButtonLink>
  );
}

export function EditVehicleLink({ vehicleId }: { vehicleId: string }) {
  const { vehicleForm } = useTexts();
  if (!useMay('editor')) return null;
  return (
    <ButtonLink
      variant="default"
      to="/vehicles/$vehicleId/edit"
      params={{ vehicleId }}
      leftSection={<Icon name="pencil" size={16} />}
    >
      {vehicleForm.edit}
    </ButtonLink>
  );
}
