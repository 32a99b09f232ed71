import { SegmentedControl, Text, Title } from '@mantine/core';
import type { WebhookDelivery } from '@motorpool/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { usePlates } from '../../../fleet/named-vehicles.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { Pager } from '../../../table/pager.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { Plate } from '../../../values/plate.tsx';
import { StateBadge } from '../../../values/state-badge.tsx';
import { RecordTable } from '../record-table.tsx';
import { RowMenu } from '../row-menu.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import classes from './webhooks.module.css';

const pageSize = 25;
const states = ['pending', 'delivered', 'failed'] as const;
const looks = {
  pending: { tone: 'warning', icon: 'circle-dashed' },
  delivered: { tone: 'good', icon: 'circle-check' },
  failed: { tone: 'danger', icon: 'circle-alert' },
} as const;
/** Deliveries have no events of their own. */
const refreshMs = 5_000;

export function Deliveries({ webhookId }: { webhookId: string }) {
  const texts = useTexts();
  const { webhooks: words } = texts;
  const fleet = useFleet();
  const queries = useQueryClient();
  const { search, change } = useSettingsSearch();
  const page = search.page ?? 0;
  const state = states.find((one) => one === search.state);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: queryKey('webhook', 'deliveries', webhookId, page, state),
    queryFn: ({ signal }) =>
      fleet.webhooks
        .findDeliveries(
          webhookId,
          {
            ...(state && { filters: [{ field: 'status', value: state }] }),
            pagination: { pageNumber: page, pageSize },
          },
          { signal },
        )
        .page(),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const plateOf = usePlates(data?.items.map(({ vehicleId }) => vehicleId) ?? []);
  const resend = useMutation({
    mutationFn: ({ sequence }: WebhookDelivery) => fleet.webhooks.resend(webhookId, sequence),
    onSuccess: () => notifyDone(words.resent),
    onError: (problem) => notifyProblem(problem, texts),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('webhook', 'deliveries') }),
  });
  const total = data?.pagination.totalEntries ?? 0;
  return (
    <>
      <div className={classes.deliveriesHeader}>
        <Title order={3}>{words.deliveries}</Title>
        <SegmentedControl
          size="xs"
          aria-label={words.filter}
          value={state ?? 'all'}
          onChange={(value) => change({ state: value === 'all' ? '' : value })}
          data={[
            { value: 'all', label: words.allDeliveries },
            ...states.map((value) => ({ value, label: words.deliveryStates[value] })),
          ]}
        />
      </div>
      <RecordTable
        label={words.deliveries}
        rows={data?.items}
        idOf={({ sequence }) => sequence}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={<EmptyState icon="send" {...words.noDeliveries} />}
        columns={[
          { header: words.event, cell: ({ type }) => type },
          {
            header: words.vehicle,
            width: 150,
            cell: ({ vehicleId }) =>
              vehicleId && (
                <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }}>
                  <Plate plate={plateOf(vehicleId)} />
                </AnchorLink>
              ),
          },
          {
            header: texts.settings.state,
            width: 130,
            cell: ({ status }) => (
              <StateBadge {...looks[status]} text={words.deliveryStates[status]} />
            ),
          },
          {
            header: words.answer,
            width: 170,
            cell: ({ answerStatus, error }) => (
              <Text size="sm" truncate title={error}>
                {answerStatus ?? error}
              </Text>
            ),
          },
          { header: words.tries, width: 80, isNumeric: true, cell: ({ tries }) => tries },
          {
            header: words.when,
            width: 130,
            cell: ({ lastTriedAt, createdAt }) => <Age at={lastTriedAt ?? createdAt} />,
          },
        ]}
        actions={(delivery) => (
          <RowMenu
            name={delivery.type}
            items={[{ label: words.resend, icon: 'send', run: () => resend.mutate(delivery) }]}
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
    </>
  );
}
