import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { usePlates } from '../../../fleet/named-vehicles.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { Icon } from '../../../icons/icon.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { CopyableId } from '../../../values/copyable-id.tsx';
import { Plate } from '../../../values/plate.tsx';
import { pageSize, RecordSection } from '../record-section.tsx';
import classes from '../settings-page.module.css';
import { useSettingsSearch } from '../use-settings-search.ts';
import { BoxDialog } from './box-dialog.tsx';

const typingPauseMs = 200;

export function BoxesSection() {
  const { boxes: words, audit } = useTexts();
  const fleet = useFleet();
  const { search, change } = useSettingsSearch();
  const { q, page = 0 } = search;
  const searchSoon = useDebouncedCallback((text: string) => change({ q: text }), typingPauseMs);
  const found = useQuery({
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
  const plateOf = usePlates(found.data?.items.map(({ vehicleId }) => vehicleId) ?? []);
  const total = found.data?.pagination.totalEntries ?? 0;
  return (
    <RecordSection
      name="boxes"
      icon="box"
      record="databox"
      words={words}
      found={found}
      idOf={({ serial }) => serial}
      nameOf={({ serial }) => serial}
      editAction={{ label: words.moveAction, icon: 'car' }}
      deleteLabel={words.remove}
      onDelete={({ serial }) => fleet.databoxes.delete(serial)}
      dialog={(box, close) => <BoxDialog {...(box && { box })} onClose={close} />}
      toolbar={
        (q !== undefined || total > 10) && (
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
        )
      }
      noneFound={q ? <EmptyState icon="search" {...audit.none} /> : undefined}
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
              <Plate plate={plateOf(vehicleId)} />
            </AnchorLink>
          ),
        },
        { header: words.since, width: 160, cell: ({ pairedAt }) => <Age at={pairedAt} /> },
      ]}
    />
  );
}
