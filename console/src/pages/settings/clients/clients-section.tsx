import { Button, Text } from '@mantine/core';
import type { Client } from '@motorpool/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { Pager } from '../../../table/pager.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { CopyableId } from '../../../values/copyable-id.tsx';
import { useNow } from '../../../values/now.ts';
import { StateBadge } from '../../../values/state-badge.tsx';
import { RecordTable } from '../record-table.tsx';
import { RowMenu } from '../row-menu.tsx';
import { SectionHeader } from '../section-header.tsx';
import classes from '../settings-page.module.css';
import { useSettingsSearch } from '../use-settings-search.ts';
import { EditClient, NewClient } from './client-dialog.tsx';
import { type Issued, IssuedSecret } from './issued-secret.tsx';

const pageSize = 50;

type Dialog = { kind: 'new' } | { kind: 'edit' | 'rotate' | 'delete'; client: Client };

export function ClientsSection() {
  const texts = useTexts();
  const { clients: words, settings, roles } = texts;
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { search, change } = useSettingsSearch();
  const [dialog, setDialog] = useState<Dialog>();
  const [issued, setIssued] = useState<Issued>();
  const close = () => setDialog(undefined);
  const page = search.page ?? 0;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: queryKey('client', 'page', page),
    queryFn: ({ signal }) =>
      fleet.clients.find({ pagination: { pageNumber: page, pageSize } }, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const renew = () => queries.invalidateQueries({ queryKey: queryKey('client') });
  const toggle = useMutation({
    mutationFn: ({ id, disabledAt }: Client) =>
      disabledAt ? fleet.clients.enable(id) : fleet.clients.disable(id),
    onSuccess: ({ name, disabledAt }) =>
      notifyDone((disabledAt ? words.disabled : words.enabled)(name)),
    onError: (problem) => notifyProblem(problem, texts),
    onSettled: renew,
  });
  const rotate = useMutation({
    mutationFn: ({ id }: Client) => fleet.clients.rotateSecret(id),
    onSuccess: (client) => {
      close();
      setIssued(client);
    },
    onSettled: renew,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Client) => fleet.clients.delete(id),
    onSuccess: (_, { name }) => {
      close();
      notifyDone(settings.deleted(name));
    },
    onSettled: renew,
  });
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog({ kind: 'new' })}>
      {words.add}
    </Button>
  );
  const total = data?.pagination.totalEntries ?? 0;
  return (
    <>
      <SectionHeader name="clients" action={data?.items.length !== 0 && add} />
      <RecordTable
        label={settings.sections.clients}
        rows={data?.items}
        idOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon="key-round" {...words.none}>
            {add}
          </EmptyState>
        }
        columns={[
          {
            header: settings.name,
            cell: ({ name, id }) => (
              <div>
                <Text fw={500} truncate>
                  {name}
                </Text>
                <div className={classes.id}>
                  <CopyableId id={id} />
                </div>
              </div>
            ),
          },
          { header: settings.role, width: 140, cell: ({ role }) => roles[role] },
          {
            header: words.kind,
            width: 200,
            cell: (client) => words.kinds[client.public ? 'public' : 'secret'],
          },
          { header: settings.state, width: 170, cell: (client) => <ClientState client={client} /> },
          { header: settings.changed, width: 120, cell: ({ updatedAt }) => <Age at={updatedAt} /> },
        ]}
        actions={(client) => (
          <RowMenu
            name={client.name}
            items={[
              {
                label: settings.edit,
                icon: 'pencil',
                run: () => setDialog({ kind: 'edit', client }),
              },
              !client.public && {
                label: words.rotate,
                icon: 'refresh-cw',
                run: () => setDialog({ kind: 'rotate', client }),
              },
              {
                label: client.disabledAt ? settings.enable : settings.disable,
                icon: client.disabledAt ? 'play' : 'pause',
                run: () => toggle.mutate(client),
              },
              {
                label: texts.forms.delete,
                icon: 'trash-2',
                isDangerous: true,
                run: () => setDialog({ kind: 'delete', client }),
              },
            ]}
          />
        )}
      />
      {total > pageSize && (
        <Pager
          page={page}
          size={pageSize}
          total={total}
          onPage={(next) => change({ ...(next > 0 && { page: next }) })}
        />
      )}
      {dialog?.kind === 'new' && (
        <NewClient
          onClose={close}
          onCreated={(client) => {
            close();
            if (client.secret) setIssued(client);
            else notifyDone(settings.saved);
          }}
        />
      )}
      {dialog?.kind === 'edit' && <EditClient client={dialog.client} onClose={close} />}
      {dialog?.kind === 'rotate' && (
        <ConfirmDialog
          title={words.rotateTitle(dialog.client.name)}
          text={words.rotateText}
          confirm={words.rotateConfirm}
          isPending={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate(dialog.client)}
          onClose={close}
        />
      )}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(dialog.client.name)}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(dialog.client)}
          onClose={close}
        />
      )}
      {issued && (
        <IssuedSecret
          issued={issued}
          onClose={() => setIssued(undefined)}
          until={
            issued.previousSecretExpiresAt &&
            words.until(formats.time(issued.previousSecretExpiresAt))
          }
        />
      )}
    </>
  );
}

function ClientState({ client }: { client: Client }) {
  const { settings, clients: words } = useTexts();
  const formats = useFormats();
  const now = useNow();
  const { disabledAt, expiresAt } = client;
  if (disabledAt) return <StateBadge tone="neutral" icon="ban" text={settings.disabled} />;
  if (expiresAt && new Date(expiresAt).getTime() <= now)
    return <StateBadge tone="danger" icon="ban" text={words.expiredOn(formats.date(expiresAt))} />;
  return (
    <StateBadge
      tone="good"
      icon="circle-check"
      text={expiresAt ? words.expiresOn(formats.date(expiresAt)) : settings.active}
    />
  );
}
