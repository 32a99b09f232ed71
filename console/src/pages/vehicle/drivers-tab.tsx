import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import type { Customer, Vehicle } from '@motorpool/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone } from '../../feedback/notify.ts';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { Icon } from '../../icons/icon.tsx';
import { Panel } from '../../layout/panel.tsx';
import { ScrollBox } from '../../layout/scroll-box.tsx';
import { ShowMore } from '../../layout/show-more.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import cards from '../../table/card-rows.module.css';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { CopyableId } from '../../values/copyable-id.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import classes from './charging/charging-tab.module.css';
import { DriverDialog } from './driver-dialog.tsx';
import { useTabSearch } from './use-tab-search.ts';

const pageSize = 200;

/** Who drives a vehicle, and who drove it when. */
export function DriversTab({ vehicle }: { vehicle: Vehicle }) {
  const { drivers: texts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const mayEdit = useMay('editor');
  const navigate = useNavigate();
  const { id: vehicleId } = vehicle.asset;
  const { at } = useTabSearch();
  const moment = typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : undefined;
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Customer>();
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: queryKey('driver', 'assignments', vehicleId, moment),
    queryFn: ({ pageParam, signal }) =>
      fleet.drivers
        .findAssignments(
          vehicleId,
          {
            ...(moment && { at: new Date(moment).toISOString() }),
            pagination: { pageNumber: pageParam, pageSize },
          },
          { signal },
        )
        .page(),
    initialPageParam: 0,
    getNextPageParam: ({ pagination }) =>
      (pagination.pageNumber + 1) * pageSize < pagination.totalEntries
        ? pagination.pageNumber + 1
        : undefined,
  });
  const assignments = data?.pages.flatMap(({ items }) => items);
  const total = data?.pages[0]?.pagination.totalEntries;
  const remove = useMutation({
    mutationFn: (one: Customer) =>
      fleet.drivers.remove(
        vehicleId,
        one.mobilityProviderCountryCode,
        one.mobilityProviderCode,
        one.customerId,
      ),
    onSuccess: () => {
      notifyDone(texts.removed);
      setRemoved(undefined);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('driver') }),
  });
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <Panel title={texts.title} count={total} actions={add}>
      <TextInput
        type="datetime-local"
        label={texts.at}
        description={texts.atHelp}
        maw={280}
        mb={12}
        value={moment ?? ''}
        onChange={({ currentTarget }) =>
          void navigate({
            to: '/vehicles/$vehicleId/$tab',
            params: { vehicleId, tab: 'drivers' },
            search: currentTarget.value ? { at: currentTarget.value } : {},
            replace: true,
            resetScroll: false,
          })
        }
      />
      {error && !data && <InlineProblem error={error} />}
      {assignments?.length === 0 ? (
        <EmptyState icon="user-round" {...(moment ? texts.noneThen : texts.none)} />
      ) : (
        <ScrollBox label={texts.title}>
          <table
            className={`${classes.table} ${cards.cardRows}`}
            aria-busy={data === undefined || undefined}
          >
            <thead>
              <tr>
                <th scope="col">{texts.driver}</th>
                <th scope="col">{texts.provider}</th>
                <th scope="col">{texts.from}</th>
                <th scope="col">{texts.until}</th>
                {mayEdit && <td />}
              </tr>
            </thead>
            <tbody>
              {assignments?.map(({ customer, addedAt, removedAt }) => (
                <tr key={`${customer?.customerId} ${addedAt}`}>
                  <th scope="row">
                    {customer ? <CopyableId id={customer.customerId} /> : texts.erased}
                  </th>
                  <td data-label={texts.provider}>
                    {customer &&
                      `${customer.mobilityProviderCountryCode}-${customer.mobilityProviderCode}`}
                  </td>
                  <td data-label={texts.from}>{formats.time(addedAt)}</td>
                  <td data-label={texts.until}>
                    {removedAt ? (
                      formats.time(removedAt)
                    ) : (
                      <StateBadge tone="info" icon="user-round" text={texts.now} />
                    )}
                  </td>
                  {mayEdit && (
                    <td data-numeric data-actions>
                      {customer && !removedAt && (
                        <Tooltip label={texts.remove}>
                          <ActionIcon
                            size="sm"
                            aria-label={texts.remove}
                            onClick={() => setRemoved(customer)}
                          >
                            <Icon name="trash-2" size={15} />
                          </ActionIcon>
                        </Tooltip>
                      )}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {hasNextPage && (
        <ShowMore
          count={Math.min(pageSize, (total ?? 0) - (assignments?.length ?? 0))}
          isLoading={isFetchingNextPage}
          onShow={() => void fetchNextPage()}
        />
      )}
      {isAdding && <DriverDialog vehicleId={vehicleId} onClose={() => setIsAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title={texts.removeTitle}
          text={texts.removeText(removed.customerId)}
          confirm={texts.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Panel>
  );
}
