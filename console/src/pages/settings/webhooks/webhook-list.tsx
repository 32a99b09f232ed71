import { Button, Text } from '@mantine/core';
import type { WebhookWithSecret } from '@motorpool/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { Icon } from '../../../icons/icon.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { RecordTable } from '../record-table.tsx';
import { RowMenu } from '../row-menu.tsx';
import { SecretDialog } from '../secret-dialog.tsx';
import { SectionHeader } from '../section-header.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { useWebhookActions } from './use-webhook-actions.ts';
import { NewWebhook } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

/** As many as a provider may have, and more. */
const pageSize = 100;

export function WebhookList() {
  const { webhooks: words, settings } = useTexts();
  const fleet = useFleet();
  const { change } = useSettingsSearch();
  const { toggle, test } = useWebhookActions();
  const [isAdding, setIsAdding] = useState(false);
  const [issued, setIssued] = useState<WebhookWithSecret>();
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('webhook', 'page'),
    queryFn: ({ signal }) => fleet.webhooks.find({ pagination: { pageSize } }, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <>
      <SectionHeader name="webhooks" action={data?.items.length !== 0 && add} />
      <RecordTable
        label={settings.sections.webhooks}
        rows={data?.items}
        idOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon="webhook" {...words.none}>
            {add}
          </EmptyState>
        }
        columns={[
          {
            header: words.url,
            cell: ({ id, url, description }) => (
              <div>
                <Text truncate>
                  <AnchorLink
                    to="/settings/$section"
                    params={{ section: 'webhooks' }}
                    search={{ open: id }}
                    fw={500}
                  >
                    {url}
                  </AnchorLink>
                </Text>
                {description && (
                  <Text size="xs" c="dimmed" truncate>
                    {description}
                  </Text>
                )}
              </div>
            ),
          },
          {
            header: words.types,
            width: 160,
            cell: ({ types }) => (types ? words.someTypes(types.length) : words.allTypes),
          },
          {
            header: settings.state,
            width: 220,
            cell: (webhook) => <WebhookState webhook={webhook} />,
          },
        ]}
        actions={(webhook) => (
          <RowMenu
            name={webhook.url}
            items={[
              { label: words.test, icon: 'send', run: () => test.mutate(webhook) },
              {
                label: words.deliveries,
                icon: 'list',
                run: () => change({ open: webhook.id }, { keepsHistory: true }),
              },
              {
                label: webhook.status === 'active' ? settings.disable : settings.enable,
                icon: webhook.status === 'active' ? 'pause' : 'play',
                run: () => toggle.mutate(webhook),
              },
            ]}
          />
        )}
      />
      {isAdding && (
        <NewWebhook
          onClose={() => setIsAdding(false)}
          onCreated={(webhook) => {
            setIsAdding(false);
            setIssued(webhook);
          }}
        />
      )}
      {issued && (
        <SecretDialog
          title={words.secretTitle}
          warning={settings.secretOnce}
          values={[{ label: words.secret, value: issued.secret }]}
          onClose={() => {
            setIssued(undefined);
            change({ open: issued.id }, { keepsHistory: true });
          }}
        />
      )}
    </>
  );
}
