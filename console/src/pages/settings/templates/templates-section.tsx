import { Button, Text } from '@mantine/core';
import type { ChecklistTemplate } from '@motorpool/client';
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
import { EditTemplate, NewTemplate } from './template-dialog.tsx';

const pageSize = 50;

type Dialog = { kind: 'new' } | { kind: 'edit' | 'delete'; template: ChecklistTemplate };

export function TemplatesSection() {
  const { templates: words, settings, forms } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const mayEdit = useMay('editor');
  const { search, change } = useSettingsSearch();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const page = search.page ?? 0;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: queryKey('checklist-template', 'page', page),
    queryFn: ({ signal }) =>
      fleet.checklistTemplates
        .find({ pagination: { pageNumber: page, pageSize } }, { signal })
        .page(),
    placeholderData: keepPreviousData,
  });
  const remove = useMutation({
    mutationFn: ({ id }: ChecklistTemplate) => fleet.checklistTemplates.delete(id),
    onSuccess: (_, { name }) => {
      close();
      notifyDone(settings.deleted(name));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('checklist-template') }),
  });
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog({ kind: 'new' })}>
      {words.add}
    </Button>
  );
  const total = data?.pagination.totalEntries ?? 0;
  return (
    <>
      <SectionHeader name="checklists" action={data?.items.length !== 0 && add} />
      <RecordTable
        label={settings.sections.checklists}
        rows={data?.items}
        idOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon="clipboard-check" {...words.none}>
            {add}
          </EmptyState>
        }
        columns={[
          {
            header: settings.name,
            cell: ({ name, entries }) => (
              <div>
                <Text fw={500} truncate>
                  {name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {entries.map(({ title }) => title).join(' · ')}
                </Text>
              </div>
            ),
          },
          {
            header: words.entries,
            width: 140,
            cell: ({ entries }) => words.count(entries.length),
          },
          { header: settings.changed, width: 120, cell: ({ updatedAt }) => <Age at={updatedAt} /> },
        ]}
        actions={
          mayEdit
            ? (template) => (
                <RowMenu
                  name={template.name}
                  items={[
                    {
                      label: settings.edit,
                      icon: 'pencil',
                      run: () => setDialog({ kind: 'edit', template }),
                    },
                    {
                      label: forms.delete,
                      icon: 'trash-2',
                      isDangerous: true,
                      run: () => setDialog({ kind: 'delete', template }),
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
      {dialog?.kind === 'new' && <NewTemplate onClose={close} />}
      {dialog?.kind === 'edit' && <EditTemplate template={dialog.template} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(dialog.template.name)}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(dialog.template)}
          onClose={close}
        />
      )}
    </>
  );
}
