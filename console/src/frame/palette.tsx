import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { closeSpotlight, Spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryKey } from '../fleet/queries.ts';
import { Icon, type IconName } from '../icons/icon.tsx';
import { useFleet, useMay, useSession } from '../session/connection.tsx';
import { languages } from '../texts/languages.ts';
import { useLocalization, useTexts } from '../texts/texts-provider.tsx';
import { modelOf, plateOf } from '../values/vehicle-names.ts';
import { railPages } from './rail-pages.ts';

type Action = { id: string; label: string; icon: IconName; run(): void; description?: string };

const maxVehicles = 8;

/** Finds pages, actions and vehicles by what is typed. */
export function Palette() {
  const { frame } = useTexts();
  const [query, setQuery] = useState('');
  const pages = usePages();
  const actions = useActions();
  const vehicles = useVehicles(query.trim());
  const matching = (all: Action[]) =>
    all.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()));
  const groups = [
    { label: frame.vehicles, items: vehicles },
    { label: frame.pages, items: matching(pages) },
    { label: frame.actions, items: matching(actions) },
  ].filter(({ items }) => items.length > 0);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      scrollable
      maxHeight={420}
      radius="md"
      overlayProps={{ backgroundOpacity: 0.4 }}
      attributes={{ content: { 'aria-label': frame.search } }}
    >
      <Spotlight.Search
        placeholder={frame.paletteHint}
        aria-label={frame.paletteHint}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map(({ id, label, icon, description, run }) => (
              <Spotlight.Action
                key={id}
                label={label}
                description={description}
                leftSection={<Icon name={icon} />}
                onClick={() => {
                  closeSpotlight();
                  run();
                }}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{frame.nothingFound}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function usePages(): Action[] {
  const { pages } = useTexts();
  const navigate = useNavigate();
  return railPages.map(({ to, icon, name }) => ({
    id: `page-${name}`,
    label: pages[name],
    icon,
    run: () => void navigate({ to }),
  }));
}

function useActions(): Action[] {
  const { frame, vehicleForm } = useTexts();
  const { choose } = useLocalization();
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const { setColorScheme } = useMantineColorScheme();
  const session = useSession();
  const addVehicle: Action = {
    id: 'add-vehicle',
    label: vehicleForm.add,
    icon: 'plus',
    run: () => void navigate({ to: '/vehicles/new' }),
  };
  return [
    ...(mayEdit ? [addVehicle] : []),
    ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
      id: `theme-${scheme}`,
      label: `${frame.theme}: ${frame.themes[scheme]}`,
      icon: 'sun' as const,
      run: () => setColorScheme(scheme),
    })),
    ...languages.map((language) => ({
      id: `language-${language}`,
      label: `${frame.language}: ${frame.languages[language]}`,
      icon: 'languages' as const,
      run: () => void choose(language),
    })),
    {
      id: 'switch-provider',
      label: frame.switchProvider,
      icon: 'building-2',
      run: () => location.assign('/console'),
    },
    { id: 'sign-out', label: frame.signOut, icon: 'log-out', run: () => session.signOut() },
  ];
}

/** The first that are found, and all of them as a list. */
function useVehicles(query: string): Action[] {
  const { frame } = useTexts();
  const fleet = useFleet();
  const navigate = useNavigate();
  const [settled] = useDebouncedValue(query, 150);
  const { data } = useQuery({
    queryKey: queryKey('vehicle', 'palette', settled),
    queryFn: ({ signal }) =>
      fleet.vehicles
        .find(
          { searchText: settled, searchMode: 'words', pagination: { pageSize: maxVehicles } },
          { signal },
        )
        .page(),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  if (query === '' || !data) return [];
  const found = data.items.map(
    (vehicle): Action => ({
      id: vehicle.asset.id,
      label: plateOf(vehicle),
      description: modelOf(vehicle),
      icon: 'car',
      run: () =>
        void navigate({ to: '/vehicles/$vehicleId', params: { vehicleId: vehicle.asset.id } }),
    }),
  );
  if (found.length === 0) return [];
  const list: Action = {
    id: 'all-vehicles',
    label: frame.searchVehicles(query),
    icon: 'list',
    run: () => void navigate({ to: '/vehicles', search: { q: query } }),
  };
  return [...found, list];
}
