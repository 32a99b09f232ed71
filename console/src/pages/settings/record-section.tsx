import { Button } from '@mantine/core';
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { useMay } from '../../session/connection.tsx';
import type { Role } from '../../session/session.ts';
import { Pager } from '../../table/pager.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { type RecordColumn, RecordTable } from './record-table.tsx';
import { type MenuAction, RowMenu } from './row-menu.tsx';
import { SectionHeader } from './section-header.tsx';
import type { SectionName } from './sections.ts';
import { useSettingsSearch } from './use-settings-search.ts';

export const pageSize = 50;

type Page<Row> = { items: readonly Row[]; pagination: { totalEntries: number } };

type Props<Row> = {
  name: SectionName;
  icon: IconName;
  /** The type of record, whose queries are renewed after a deletion. */
  record: Parameters<typeof queryKey>[0];
  words: {
    add: string;
    none: { title: string; advice: string };
    deleteTitle(name: string): string;
    deleteText: string;
    deleteConfirm: string;
  };
  found: UseQueryResult<Page<Row>>;
  columns: readonly RecordColumn<Row>[];
  idOf(row: Row): string;
  nameOf(row: Row): string;
  /** How the menu of a row calls what opens its dialog, and its deletion. */
  editAction: { label: string; icon: IconName };
  deleteLabel: string;
  /** What else can be done with a record. */
  actions?(row: Row): readonly (MenuAction | false)[];
  /** Who may change the records. */
  editableBy?: Role;
  onDelete(row: Row): Promise<unknown>;
  /** The form of a record, or of a new one. */
  dialog(row: Row | undefined, close: () => void): ReactNode;
  /** Above the table. */
  toolbar?: ReactNode;
  /** In the place of no rows, where they are narrowed. */
  noneFound?: ReactNode;
};

type Dialog<Row> = { kind: 'new' } | { kind: 'edit' | 'delete'; row: Row };

/** Records that are added, changed and deleted, page by page. */
export function RecordSection<Row>(props: Props<Row>) {
  const { name, icon, words, found, columns, idOf, nameOf, editAction, deleteLabel } = props;
  const { settings } = useTexts();
  const queries = useQueryClient();
  const mayEdit = useMay(props.editableBy ?? 'editor');
  const { search, change } = useSettingsSearch();
  const [dialog, setDialog] = useState<Dialog<Row>>();
  const close = () => setDialog(undefined);
  const { data, error, refetch, isPlaceholderData } = found;
  const remove = useMutation({
    mutationFn: props.onDelete,
    onSuccess: (_, row) => {
      close();
      notifyDone(settings.deleted(nameOf(row)));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey(props.record) }),
  });
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog({ kind: 'new' })}>
      {words.add}
    </Button>
  );
  const total = data?.pagination.totalEntries ?? 0;
  const page = search.page ?? 0;
  // Of a page whose only record was deleted, the one before is shown.
  const lastPage = Math.max(0, Math.ceil(total / pageSize) - 1);
  const isBeyond = data?.items.length === 0 && page > lastPage && !isPlaceholderData;
  const goTo = useEffectEvent((next: number) => change({ ...(next > 0 && { page: next }) }));
  useEffect(() => {
    if (isBeyond) goTo(lastPage);
  }, [isBeyond, lastPage]);
  const menuOf = (row: Row) => (
    <RowMenu
      name={nameOf(row)}
      items={[
        { ...editAction, run: () => setDialog({ kind: 'edit', row }) },
        ...(props.actions?.(row) ?? []),
        {
          label: deleteLabel,
          icon: 'trash-2',
          isDangerous: true,
          run: () => setDialog({ kind: 'delete', row }),
        },
      ]}
    />
  );
  return (
    <>
      <SectionHeader name={name} action={data?.items.length !== 0 && add} />
      {props.toolbar}
      <RecordTable
        label={settings.sections[name]}
        rows={isBeyond ? undefined : data?.items}
        idOf={idOf}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={
          props.noneFound ?? (
            <EmptyState icon={icon} {...words.none}>
              {add}
            </EmptyState>
          )
        }
        columns={columns}
        actions={mayEdit ? menuOf : undefined}
      />
      {total > pageSize && (
        <Pager
          page={page}
          size={pageSize}
          total={total}
          onPage={(next) => change({ ...(next > 0 && { page: next }) })}
        />
      )}
      {dialog?.kind === 'new' && props.dialog(undefined, close)}
      {dialog?.kind === 'edit' && props.dialog(dialog.row, close)}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(nameOf(dialog.row))}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(dialog.row)}
          onClose={close}
        />
      )}
    </>
  );
}
