import { Group, Modal, TagsInput, Textarea, TextInput } from '@mantine/core';
import { eTagOf, type LogbookEntry, type LogbookEntryRequest } from '@motorpool/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { Problem } from '../../../feedback/problem.tsx';
import { ChosenFiles } from '../../../files/chosen-files.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { dayOf } from '../../../formats/days.ts';
import { DateInput } from '../../../forms/date-input.tsx';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { costOf, type Money, MoneyInput, moneyOf } from '../../../forms/money-input.tsx';
import { NumberInput } from '../../../forms/number-input.tsx';
import { useCurrency } from '../../../forms/use-currency.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { CategorySelect } from './category-select.tsx';

type Props = {
  vehicleId: string;
  /** The one to edit; a new one without it. */
  entryId?: string;
  onClose(): void;
};

/** Writes an entry, or changes one: as it is now, so that nobody's change is lost. */
export function EntryDialog({ vehicleId, entryId, onClose }: Props) {
  const { logbook, forms } = useTexts();
  const fleet = useFleet();
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('logbook-entry', 'one', vehicleId, entryId),
    queryFn: ({ signal }) => fleet.logbook.get(vehicleId, entryId ?? '', { signal }),
    enabled: entryId !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const [entry, setEntry] = useState<LogbookEntry>();
  // What others save meanwhile must not change what is being typed.
  if (data && !entry) setEntry(data);
  if (entryId !== undefined && !entry)
    return error ? (
      <Modal
        opened
        onClose={onClose}
        title={logbook.editTitle}
        closeButtonProps={{ 'aria-label': forms.close }}
      >
        <Problem error={error} onRetry={() => void refetch()} />
      </Modal>
    ) : null;
  return <EntryForm vehicleId={vehicleId} entry={entry} onClose={onClose} />;
}

type Entered = Omit<LogbookEntryRequest, 'cost' | 'odometer'> & { odometer: number | '' };

function EntryForm({
  vehicleId,
  entry,
  onClose,
}: {
  vehicleId: string;
  entry: LogbookEntry | undefined;
  onClose(): void;
}) {
  const texts = useTexts();
  const { logbook } = texts;
  const fleet = useFleet();
  const queries = useQueryClient();
  const currency = useCurrency();
  const today = dayOf(new Date());
  const { odometer, cost, ...others } = entry ?? { title: '', date: today };
  const [entered, setEntered] = useState<Entered>({ ...others, odometer: odometer ?? '' });
  const [money, setMoney] = useState<Money>();
  const [files, setFiles] = useState<File[]>([]);
  const [isDirty, setIsDirty] = useState(false);
  const set = (next: Partial<Entered>) => {
    setEntered({ ...entered, ...next });
    setIsDirty(true);
  };
  const paid = money ?? moneyOf(cost, currency);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { odometer: km, ...rest } = entered;
      const price = costOf(paid);
      const body = {
        ...rest,
        title: rest.title.trim(),
        ...(km !== '' && { odometer: km }),
        ...(price && { cost: price }),
      };
      const saved = entry
        ? await fleet.logbook.put(vehicleId, entry.id, body, { ifMatch: eTagOf(entry) as string })
        : await fleet.logbook.create(vehicleId, body);
      return { saved, failed: await upload(saved.id) };
    },
    onSuccess: ({ failed }) => {
      notifyDone(logbook.saved);
      for (const reason of failed) notifyProblem(reason, texts);
      onClose();
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: queryKey('logbook-entry') });
      void queries.invalidateQueries({ queryKey: queryKey('invoice') });
    },
  });
  /** The entry is written by then: of files that fail, the others stay. */
  const upload = async (entryId: string): Promise<unknown[]> => {
    const failed: unknown[] = [];
    for (const file of files) {
      const announced = { filename: file.name, ...(file.type && { contentType: file.type }) };
      try {
        await fleet.logbook.addFile(vehicleId, entryId, announced, file);
      } catch (reason) {
        failed.push(reason);
      }
    }
    return failed;
  };
  return (
    <FormDialog
      title={entry ? logbook.editTitle : logbook.add}
      submit={entry ? texts.forms.save : logbook.add}
      isDirty={isDirty || files.length > 0}
      isPending={isPending}
      isDisabled={entered.title.trim() === '' || entered.date === ''}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
      onReload={() => {
        void queries.invalidateQueries({ queryKey: queryKey('logbook-entry') });
        onClose();
      }}
    >
      <TextInput
        label={logbook.form.title}
        withAsterisk
        value={entered.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        data-autofocus
      />
      <Group gap="xs" align="flex-end" grow>
        <CategorySelect
          label={logbook.category}
          value={entered.category ?? 'other'}
          onChange={(category) => category && set({ category })}
        />
        <DateInput
          label={logbook.form.date}
          withAsterisk
          value={entered.date}
          onChange={({ currentTarget }) => set({ date: currentTarget.value })}
        />
      </Group>
      <NumberInput
        label={logbook.form.odometer}
        value={entered.odometer}
        min={0}
        decimals={0}
        onChange={(odometer) => set({ odometer })}
      />
      <MoneyInput
        label={logbook.form.cost}
        value={paid}
        onChange={(next) => {
          setMoney(next);
          setIsDirty(true);
        }}
      />
      <Textarea
        label={logbook.form.description}
        autosize
        minRows={2}
        value={entered.description ?? ''}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <TagsInput
        size="xs"
        label={logbook.form.tags}
        value={entered.tags ?? []}
        onChange={(tags) => set({ tags })}
      />
      <ChosenFiles files={files} onChange={setFiles} />
    </FormDialog>
  );
}
