import { Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../../../feedback/notify.ts';
import { Problem } from '../../../feedback/problem.tsx';
import { Bone, Delayed } from '../../../feedback/skeleton.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { Icon } from '../../../icons/icon.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { RowMenu } from '../row-menu.tsx';
import { SecretDialog } from '../secret-dialog.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { Deliveries } from './deliveries.tsx';
import { useWebhookActions } from './use-webhook-actions.ts';
import { EditWebhook } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';
import classes from './webhooks.module.css';

/** One webhook, its test, and what was delivered to it. */
export function WebhookDetail({ id }: { id: string }) {
  const { webhooks: words, settings, forms } = useTexts();
  const fleet = useFleet();
  const { change } = useSettingsSearch();
  const { toggle, test, renew } = useWebhookActions();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const close = () => setDialog(undefined);
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('webhook', 'one', id),
    queryFn: ({ signal }) => fleet.webhooks.get(id, { signal }),
  });
  const rotate = useMutation({
    mutationFn: () => fleet.webhooks.rotateSecret(id),
    onSuccess: (webhook) => {
      close();
      setSecret(webhook.secret);
    },
    onSettled: renew,
  });
  const remove = useMutation({
    mutationFn: () => fleet.webhooks.delete(id),
    onSuccess: () => {
      close();
      notifyDone(settings.deleted(data?.url ?? ''));
      change({ open: '' });
      void renew();
    },
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Delayed>
        <Bone width="50%" />
      </Delayed>
    );
  const isActive = data.status === 'active';
  return (
    <>
      <AnchorLink to="/settings/$section" params={{ section: 'webhooks' }} size="xs">
        {words.back}
      </AnchorLink>
      <header className={classes.header}>
        <div className={classes.title}>
          <Title order={2}>{data.url}</Title>
          <Group gap="xs">
            <WebhookState webhook={data} />
            <Text size="sm" c="dimmed">
              {[data.description, data.statusReason].filter(Boolean).join(' · ')}
            </Text>
          </Group>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Button
            leftSection={<Icon name="send" size={16} />}
            onClick={() => test.mutate(data)}
            loading={test.isPending}
          >
            {words.test}
          </Button>
          <RowMenu
            name={data.url}
            items={[
              { label: settings.edit, icon: 'pencil', run: () => setDialog('edit') },
              { label: words.rotate, icon: 'refresh-cw', run: () => setDialog('rotate') },
              {
                label: isActive ? settings.disable : settings.enable,
                icon: isActive ? 'pause' : 'play',
                run: () => toggle.mutate(data),
              },
              {
                label: forms.delete,
                icon: 'trash-2',
                isDangerous: true,
                run: () => setDialog('delete'),
              },
            ]}
          />
        </Group>
      </header>
      <ul className={classes.types}>
        {(data.types ?? [words.allTypes]).map((type) => (
          <li key={type}>{type}</li>
        ))}
      </ul>
      <Deliveries webhookId={id} />
      {dialog === 'edit' && <EditWebhook webhook={data} onClose={close} />}
      {dialog === 'rotate' && (
        <ConfirmDialog
          title={words.rotateTitle}
          text={words.rotateText}
          confirm={words.rotateConfirm}
          isPending={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
      {secret && (
        <SecretDialog
          title={words.secretTitle}
          warning={settings.secretOnce}
          values={[{ label: words.secret, value: secret }]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}
