import { Text } from '@mantine/core';
import type { Client } from '@motorpool/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { CopyableId } from '../../../values/copyable-id.tsx';
import { useNow } from '../../../values/now.ts';
import { StateBadge } from '../../../values/state-badge.tsx';
import { pageSize, RecordSection } from '../record-section.tsx';
import classes from '../settings-page.module.css';
import { useSettingsSearch } from '../use-settings-search.ts';
import { EditClient, NewClient } from './client-dialog.tsx';
import { type Issued, IssuedSecret } from './issued-secret.tsx';

export function ClientsSection() {
  const texts = useTexts();
  const { clients: words, settings, roles, forms } = texts;
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { page = 0 } = useSettingsSearch().search;
  const [rotating, setRotating] = useState<Client>();
  const [issued, setIssued] = useState<Issued>();
  const found = useQuery({
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
      setRotating(undefined);
      setIssued(client);
    },
    onSettled: renew,
  });
  return (
    <>
      <RecordSection
        name="clients"
        icon="key-round"
        record="client"
        editableBy="admin"
        words={words}
        found={found}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        editAction={{ label: settings.edit, icon: 'pencil' }}
        deleteLabel={forms.delete}
        onDelete={({ id }) => fleet.clients.delete(id)}
        actions={(client) => [
          !client.public && {
            label: words.rotate,
            icon: 'refresh-cw',
            run: () => setRotating(client),
          },
          {
            label: client.disabledAt ? settings.enable : settings.disable,
            icon: client.disabledAt ? 'play' : 'pause',
            run: () => toggle.mutate(client),
          },
        ]}
        dialog={(client, close) =>
          client ? (
            <EditClient client={client} onClose={close} />
          ) : (
            <NewClient
              onClose={close}
              onCreated={(created) => {
                close();
                if (created.secret) setIssued(created);
                else notifyDone(settings.saved);
              }}
            />
          )
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
      />
      {rotating && (
        <ConfirmDialog
          title={words.rotateTitle(rotating.name)}
          text={words.rotateText}
          confirm={words.rotateConfirm}
          isPending={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate(rotating)}
          onClose={() => setRotating(undefined)}
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
