import { Button, Group } from '@mantine/core';
import type { LogbookEntry, Vehicle } from '@motorpool/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Icon } from '../../icons/icon.tsx';
import { Panel } from '../../layout/panel.tsx';
import { ShowMore } from '../../layout/show-more.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { SearchField } from '../../table/search-field.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { CategorySelect } from './logbook/category-select.tsx';
import { EntryDialog } from './logbook/entry-dialog.tsx';
import { EntryItem } from './logbook/entry-item.tsx';
import classes from './logbook/logbook-tab.module.css';
import { useTabSearch } from './use-tab-search.ts';

const pageSize = 25;

/** What happened to a vehicle, the newest first, with its files. */
export function LogbookTab({ vehicle }: { vehicle: Vehicle }) {
  const { logbook: texts, logbookCategories, vehicleTabs } = useTexts();
  const fleet = useFleet();
  const mayEdit = useMay('editor');
  const navigate = useNavigate();
  const { id: vehicleId } = vehicle.asset;
  const { q, category } = useTabSearch();
  const words = typeof q === 'string' ? q : '';
  const chosen = Object.keys(logbookCategories).find((one) => one === category);
  // Here, as an entry that is edited may leave the pages that are loaded.
  const [written, setWritten] = useState<{ entryId?: string }>();
  const change = (next: { q?: string; category?: string }) =>
    void navigate({
      to: '/vehicles/$vehicleId/$tab',
      params: { vehicleId, tab: 'logbook' },
      search: Object.fromEntries(Object.entries(next).filter(([, value]) => value)),
      replace: true,
      resetScroll: false,
    });
  const filters = [
    ...(words ? [{ value: words }] : []),
    ...(chosen ? [{ field: 'category', value: chosen }] : []),
  ];
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      queryKey: queryKey('logbook-entry', 'of-vehicle', vehicleId, filters),
      queryFn: ({ pageParam, signal }) =>
        fleet.logbook
          .find(vehicleId, { filters, pagination: { pageNumber: pageParam, pageSize } }, { signal })
          .page(),
      initialPageParam: 0,
      getNextPageParam: ({ pagination }) =>
        (pagination.pageNumber + 1) * pageSize < pagination.totalEntries
          ? pagination.pageNumber + 1
          : undefined,
    },
  );
  const entries = data?.pages.flatMap(({ items }): LogbookEntry[] => items);
  const total = data?.pages[0]?.pagination.totalEntries;
  const isNarrowed = words !== '' || chosen !== undefined;
  const write = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setWritten({})}>
      {texts.add}
    </Button>
  );
  return (
    <Panel title={vehicleTabs.logbook} count={total} actions={write}>
      <Group gap="xs" mb={8}>
        <SearchField
          hint={texts.searchHint}
          value={words}
          onChange={(next) => change({ q: next, ...(chosen && { category: chosen }) })}
        />
        <CategorySelect
          label={texts.category}
          isLabelHidden
          placeholder={texts.allCategories}
          value={chosen}
          onChange={(next) => change({ q: words, ...(next && { category: next }) })}
        />
      </Group>
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : entries === undefined ? (
        <Delayed>
          <Bone width="60%" />
        </Delayed>
      ) : entries.length === 0 ? (
        <EmptyState
          icon={isNarrowed ? 'search' : 'file-text'}
          {...(isNarrowed ? texts.noneFound : texts.none)}
        />
      ) : (
        <ul className={classes.entries} aria-label={vehicleTabs.logbook}>
          {entries.map((entry) => (
            <EntryItem
              key={entry.id}
              vehicleId={vehicleId}
              entry={entry}
              mayEdit={mayEdit}
              onEdit={() => setWritten({ entryId: entry.id })}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <ShowMore
          count={Math.min(pageSize, (total ?? 0) - (entries?.length ?? 0))}
          isLoading={isFetchingNextPage}
          onShow={() => void fetchNextPage()}
        />
      )}
      {written && (
        <EntryDialog vehicleId={vehicleId} {...written} onClose={() => setWritten(undefined)} />
      )}
    </Panel>
  );
}
