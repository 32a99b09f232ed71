import { Select } from '@mantine/core';
import type { Invoice, InvoiceLine } from '@motorpool/client';
import { useState } from 'react';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { VehiclePicker } from '../../forms/vehicle-picker.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { useSaveInvoice } from './use-save-invoice.ts';

type Props = { invoice: Invoice; index: number; onClose(): void };

/** What a line is spent on, which can be put right at any time. */
export function LineDialog({ invoice: given, index, onClose }: Props) {
  const [invoice] = useState(given);
  const { invoice: texts, costKinds, forms } = useTexts();
  const line = invoice.lines[index] as InvoiceLine;
  const [kind, setKind] = useState(line.kind);
  const [vehicleId, setVehicleId] = useState(line.vehicleId);
  const { save, isPending, error, reload } = useSaveInvoice(invoice, onClose);
  const submit = () => {
    const isSame = vehicleId === line.vehicleId;
    const { chargingSessionId, maintenanceReportId, logbookEntryId, incidentId, ...own } = line;
    // What it is linked to belongs to the vehicle.
    const { vehicleId: _, ...changed } = isSame ? line : own;
    const lines = invoice.lines.with(index, {
      ...changed,
      kind,
      ...(vehicleId && { vehicleId }),
    } as InvoiceLine);
    save({ ...invoice, lines }, texts.saved);
  };
  return (
    <FormDialog
      title={texts.editLine(line.lineNumber)}
      submit={forms.save}
      isDirty={kind !== line.kind || vehicleId !== line.vehicleId}
      isPending={isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
      onReload={reload}
    >
      <Select
        label={texts.kind}
        data={Object.entries(costKinds).map(([value, label]) => ({ value, label }))}
        value={kind}
        allowDeselect={false}
        onChange={(next) => next && setKind(next as InvoiceLine['kind'])}
        data-autofocus
      />
      <VehiclePicker label={texts.vehicle} value={vehicleId} onChange={setVehicleId} />
    </FormDialog>
  );
}
