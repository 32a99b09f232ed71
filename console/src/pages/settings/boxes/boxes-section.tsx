import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { Databox } from '@motorpool/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { notifyDone } from '../../../feedback/notify.ts';
import { usePlates } from '../../../fleet/plates.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { Icon } from '../../../icons/icon.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFleet, useMay } from '../../../session/connection.tsx';
import { Pager } from '../../../table/pager.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { CopyableId } from '../../../values/copyable-id.tsx';
import { RecordTable } from '../record-table.tsx';
import { RowMenu } from '../row-menu.tsx';
import { SectionHeader } from '../section-header.tsx';
import classes from '../settings-page.module.css';
import { useSettingsSearch } from '../use-settings-search.ts';
import { BoxDialog } from './box-dialog.tsx';

const pageSize = 50;
const typingPauseMs = 200;

type Dialog = { kind: 'new' } | { kind: 'move' | 'delete'; box: Databox };

export function BoxesSection() {
  const texts = useTexts();
  const { boxes: words, settings } = texts;
  const fleet = useFleet();
  const queries = useQueryClient();
  const mayEdit = useMay('editor');
  const { search, change } = useSettingsSearch();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { q, page = 0 } = search;
  const searchSoon = useDebouncedCallback((text: string) => change({ q: text }), typingPauseMs);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: queryKey('databox', 'page', page, q),
    queryFn: ({ signal }) =>
      fleet.databoxes
        .find(
          {
            ...(q && { filters: [{ value: q }] }),
            sorting: [{ field: 'serial' }],
            pagination: { pageNumber: page, pageSize },
          },
          { signal },
        )
        .page(),
    placeholderData: keepPreviousData,
  });
  const plateOf = usePlates(data?.items.map(({ vehicleId }) => vehicleId) ?? []);
  const remove = useMutation({
    mutationFn: ({ serial }: Databox) => fleet.databoxes.delete(serial),
    onSuccess: (_, { serial }) => {
      close();
      notifyDone(settings.deleted(serial));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('databox') }),
  });
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog({ kind: 'new' })}>
      {words.add}
    </Button>
  );
  const total = data?.pagination.totalEntries ?? 0;
  return (
    <>
      <SectionHeader name="boxes" action={data?.items.length !== 0 && add} />
      {(q !== undefined || total > 10) && (
        <div className={classes.toolbar}>
          <TextInput
            type="search"
            w={280}
            leftSection={<Icon name="search" size={16} />}
            placeholder={words.search}
            aria-label={words.search}
            defaultValue={q}
            onChange={({ currentTarget }) => searchSoon(currentTarget.value)}
          />
        </div>
      )}
      <RecordTable
        label={settings.sections.boxes}
        rows={data?.items}
        idOf={({ serial }) => serial}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={
          q ? (
            <EmptyState icon="search" {...texts.audit.none} />
          ) : (
            <EmptyState icon="box" {...words.none}>
              {add}
            </EmptyState>
          )
        }
        columns={[
          {
            header: words.serial,
            cell: ({ serial }) => (
              <div className={classes.id}>
                <CopyableId id={serial} />
              </div>
            ),
          },
          {
            header: words.vehicle,
            cell: ({ vehicleId }) => (
              <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }} fw={500}>
                {plateOf(vehicleId)}
              </AnchorLink>
            ),
          },
          { header: words.since, width: 160, cell: ({ pairedAt }) => <Age at={pairedAt} /> },
        ]}
        actions={
          mayEdit
            ? (box) => (
                <RowMenu
                  name={box.serial}
                  items={[
                    {
                      label: words.moveAction,
                      icon: 'car',
                      run: () => setDialog({ kind: 'move', box }),
                    },
                    {
                      label: words.remove,
                      icon: 'trash-2',
                      isDangerous: true,
                      run: () => setDialog({ kind: 'delete', box }),
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
      {dialog?.kind === 'new' && <BoxDialog onClose={close} />}
      {dialog?.kind === 'move' && <BoxDialog box={dialog.box} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(dialog.box.serial)}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(dialog.box)}
          onClose={close}
        />
      )}
    </>
  );
}
