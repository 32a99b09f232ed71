import { Button, Text } from '@mantine/core';
import type { MaintenanceSchedule } from '@motorpool/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { notifyDone } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet, useMay } from '../../../session/connection.tsx';
import { Pager } from '../../../table/pager.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { RecordTable } from '../record-table.tsx';
import { RowMenu } from '../row-menu.tsx';
import { SectionHeader } from '../section-header.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { EditSchedule, NewSchedule } from './schedule-dialog.tsx';
import { useIntervalText } from './use-interval-text.ts';

const pageSize = 50;

type Dialog = { kind: 'new' } | { kind: 'edit' | 'delete'; schedule: MaintenanceSchedule };

export function SchedulesSection() {
  const { schedules: words, settings, forms } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const mayEdit = useMay('editor');
  const intervalOf = useIntervalText();
  const { search, change } = useSettingsSearch();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const page = search.page ?? 0;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: queryKey('maintenance-schedule', 'page', page),
    queryFn: ({ signal }) =>
      fleet.maintenanceSchedules
        .find({ pagination: { pageNumber: page, pageSize } }, { signal })
        .page(),
    placeholderData: keepPreviousData,
  });
  const remove = useMutation({
    mutationFn: ({ id }: MaintenanceSchedule) => fleet.maintenanceSchedules.delete(id),
    onSuccess: (_, { title }) => {
      close();
      notifyDone(settings.deleted(title));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('maintenance-schedule') }),
  });
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog({ kind: 'new' })}>
      {words.add}
    </Button>
  );
  const total = data?.pagination.totalEntries ?? 0;
  return (
    <>
      <SectionHeader name="schedules" action={data?.items.length !== 0 && add} />
      <RecordTable
        label={settings.sections.schedules}
        rows={data?.items}
        idOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon="wrench" {...words.none}>
            {add}
          </EmptyState>
        }
        columns={[
          {
            header: words.title,
            cell: ({ title, notes }) => (
              <div>
                <Text fw={500} truncate>
                  {title}
                </Text>
                {notes && (
                  <Text size="xs" c="dimmed" truncate>
                    {notes}
                  </Text>
                )}
              </div>
            ),
          },
          { header: words.type, width: 130, cell: ({ type }) => words.types[type] },
          { header: words.interval, width: 270, cell: intervalOf },
          {
            header: words.applies,
            width: 130,
            cell: ({ vendor, model }) => [vendor, model].filter(Boolean).join(' ') || words.forAll,
          },
          { header: settings.changed, width: 116, cell: ({ updatedAt }) => <Age at={updatedAt} /> },
        ]}
        actions={
          mayEdit
            ? (schedule) => (
                <RowMenu
                  name={schedule.title}
                  items={[
                    {
                      label: settings.edit,
                      icon: 'pencil',
                      run: () => setDialog({ kind: 'edit', schedule }),
                    },
                    {
                      label: forms.delete,
                      icon: 'trash-2',
                      isDangerous: true,
                      run: () => setDialog({ kind: 'delete', schedule }),
                    },
                  ]}
                />
              )
            : undefined
        }
      />
      {total > pageSize && (
        <Pager
          page={page}
          size={pageSize}
          total={total}
          onPage={(next) => change({ ...(next > 0 && { page: next }) })}
        />
      )}
      {dialog?.kind === 'new' && <NewSchedule onClose={close} />}
      {dialog?.kind === 'edit' && <EditSchedule schedule={dialog.schedule} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(dialog.schedule.title)}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(dialog.schedule)}
          onClose={close}
        />
      )}
    </>
  );
}
