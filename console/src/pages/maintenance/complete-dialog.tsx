import { Textarea } from '@mantine/core';
import { eTagOf, type MaintenanceReport, type Motorpool } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { ChosenFiles } from '../../files/chosen-files.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { dayOf } from '../../formats/days.ts';
import { DateInput } from '../../forms/date-input.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { costOf, type Money, MoneyInput } from '../../forms/money-input.tsx';
import { NumberInput } from '../../forms/number-input.tsx';
import { useCurrency } from '../../forms/use-currency.ts';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';

type Props = { report: MaintenanceReport; plate: string; onClose(): void; onDone(): void };

type Entered = { date: string; odometer: number | ''; notes: string; files: File[] };

/** Says that maintenance was done, with what it cost and the files that prove it. */
export function CompleteDialog({ report: given, plate, onClose, onDone }: Props) {
  const allTexts = useTexts();
  const { maintenance: texts, forms } = allTexts;
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const today = dayOf(new Date());
  const currency = useCurrency();
  // The version that was on the screen when it was opened, whatever others save meanwhile.
  const [report] = useState(given);
  const [cost, setCost] = useState<Money>();
  const [entered, setEntered] = useState<Entered>({
    date: today,
    odometer: '',
    notes: '',
    files: [],
  });
  const set = (next: Partial<Entered>) => setEntered({ ...entered, ...next });
  const money = cost ?? { amount: '' as const, currency };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => complete(fleet, report, entered, money),
    onSuccess: ({ next, failed }) => {
      const done = texts.completed(plate, report.title);
      notifyDone(next?.dueDate ? `${done}. ${texts.next(formats.date(next.dueDate))}` : done);
      for (const reason of failed) notifyProblem(reason, allTexts);
      onClose();
      onDone();
    },
    onSettled: () => {
      for (const name of ['maintenance-report', 'logbook-entry', 'invoice', 'inspection'] as const)
        void queries.invalidateQueries({ queryKey: queryKey(name) });
    },
  });
  const isWrong = entered.date === '' || entered.date > today;
  return (
    <FormDialog
      title={texts.completeTitle(report.title)}
      submit={texts.complete}
      isDirty={
        entered.odometer !== '' ||
        entered.notes !== '' ||
        entered.files.length > 0 ||
        money.amount !== ''
      }
      isPending={isPending}
      isDisabled={isWrong}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
      onReload={() => {
        void queries.invalidateQueries({ queryKey: queryKey('maintenance-report') });
        onClose();
      }}
    >
      <DateInput
        label={texts.form.doneOn}
        value={entered.date}
        max={today}
        error={isWrong ? forms.pastOnly : undefined}
        onChange={({ currentTarget }) => set({ date: currentTarget.value })}
        data-autofocus
      />
      <NumberInput
        label={texts.form.odometer}
        description={texts.form.odometerHelp}
        value={entered.odometer}
        min={0}
        decimals={0}
        onChange={(odometer) => set({ odometer })}
      />
      <MoneyInput
        label={texts.form.cost}
        help={texts.form.costHelp}
        value={money}
        onChange={setCost}
      />
      <Textarea
        label={texts.form.notes}
        autosize
        minRows={2}
        value={entered.notes}
        onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
      />
      <ChosenFiles files={entered.files} onChange={(files) => set({ files })} />
    </FormDialog>
  );
}

type Completed = {
  next: MaintenanceReport | undefined;
  /** Why files were not uploaded: it is completed by then, and the others stay. */
  failed: unknown[];
};

/** The files are announced with the completion, and uploaded to the entry of the logbook that it writes. */
async function complete(
  fleet: Motorpool,
  report: MaintenanceReport,
  { date, odometer, notes, files }: Entered,
  money: Money,
): Promise<Completed> {
  const { id, vehicleId } = report;
  const cost = costOf(money);
  const next = await fleet.maintenance.complete(
    vehicleId,
    id,
    {
      date,
      ...(odometer !== '' && { odometer }),
      ...(notes !== '' && { notes }),
      ...(cost && { cost }),
      ...(files.length > 0 && {
        files: files.map(announcementOf),
      }),
    },
    { ifMatch: eTagOf(report) as string },
  );
  return { next, failed: files.length === 0 ? [] : await upload(fleet, report, date, files) };
}

const announcementOf = ({ name, type }: File) => ({
  filename: name,
  ...(type && { contentType: type }),
});

async function upload(
  fleet: Motorpool,
  { id, vehicleId }: MaintenanceReport,
  date: string,
  files: readonly File[],
): Promise<unknown[]> {
  const failed: unknown[] = [];
  try {
    // A report has one entry for each day on which it was done.
    const { items } = await fleet.logbook
      .find(vehicleId, {
        filters: [
          { field: 'maintenanceReportId', value: id },
          { field: 'date', value: date },
        ],
      })
      .page();
    const [entry] = items;
    if (!entry) throw new Error('There is no entry of what was done');
    const announced = entry.blobs?.filter(({ uploaded }) => !uploaded) ?? [];
    for (const file of files) {
      const index = announced.findIndex(({ filename }) => filename === file.name);
      const [blob] = index < 0 ? [] : announced.splice(index, 1);
      // Of a name that the entry has, none is announced by saying again that it was done.
      const sent = blob
        ? fleet.logbook.uploadFile(vehicleId, entry.id, blob.uuid, file)
        : fleet.logbook.addFile(vehicleId, entry.id, announcementOf(file), file);
      await sent.catch((reason) => failed.push(reason));
    }
  } catch (reason) {
    failed.push(reason);
  }
  return failed;
}
