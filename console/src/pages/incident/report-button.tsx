import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../icons/icon.tsx';
import { useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';

/** Leads to the form for a new incident, of a vehicle where one is known. */
export function ReportButton({ vehicleId }: { vehicleId?: string }) {
  const { incidents } = useTexts();
  const mayEdit = useMay('editor');
  if (!mayEdit) return null;
  return (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      renderRoot={(props) => (
        <Link to="/incidents/new" search={vehicleId ? { vehicle: vehicleId } : {}} {...props} />
      )}
    >
      {incidents.report}
    </Button>
  );
}
