import { TextInput } from '@mantine/core';
import type { Databox } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { VehiclePicker } from '../../../forms/vehicle-picker.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

type Values = { serial: string; vehicleId: string };

/** Registers a box, or moves one to another vehicle. */
export function BoxDialog({ box, onClose }: { box?: Databox; onClose(): void }) {
  const { boxes: words, settings, forms } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const form = useForm<Values>(
    { serial: box?.serial ?? '', vehicleId: box?.vehicleId ?? '' },
    ({ serial, vehicleId }) => ({
      serial: /^[\w.-]{1,64}$/.test(serial.trim()) ? undefined : words.badSerial,
      vehicleId: vehicleId === '' ? forms.required : undefined,
    }),
  );
  const { values, set, text } = form;
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ serial, vehicleId }: Values) =>
      // A new one must not move a box that is registered already.
      fleet.databoxes.put(serial.trim(), { vehicleId }, box ? {} : { ifNoneMatch: '*' }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKey('databox') });
      notifyDone(settings.saved);
      onClose();
    },
  });
  return (
    <FormDialog
      title={box ? words.moveTitle(box.serial) : words.createTitle}
      submit={box ? words.move : words.create}
      isDirty={form.isDirty}
      isPending={isPending}
      error={error}
      onSubmit={() => form.isValid() && mutate(values)}
      onClose={onClose}
    >
      {!box && (
        <TextInput
          label={words.serial}
          description={words.serialHelp}
          required
          maxLength={64}
          data-autofocus
          {...text('serial')}
        />
      )}
      <VehiclePicker
        label={words.vehicle}
        value={values.vehicleId || undefined}
        onChange={(vehicleId) => set({ vehicleId: vehicleId ?? '' })}
        error={form.errorOf('vehicleId')}
        isRequired
      />
    </FormDialog>
  );
}
