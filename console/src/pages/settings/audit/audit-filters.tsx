import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import classes from '../settings-page.module.css';
import { useSettingsSearch } from '../use-settings-search.ts';

const maxActors = 200;
const typingPauseMs = 300;

export function AuditFilters() {
  const { audit: words, settings, auditTypes } = useTexts();
  const { search, change } = useSettingsSearch();
  const recordSoon = useDebouncedCallback(
    (record: string) => change({ record: record.trim() }),
    typingPauseMs,
  );
  const { people, clients } = useActors();
  const actors = [
    { group: settings.sections.people, items: people },
    { group: settings.sections.clients, items: clients },
  ];
  const { actor } = search;
  const isKnown = [...people, ...clients].some(({ value }) => value === actor);
  return (
    <search className={classes.toolbar}>
      <Select
        className={classes.field}
        label={words.actor}
        placeholder={words.actorHint}
        data={[
          ...(actor && !isKnown
            ? [{ group: words.actor, items: [{ value: actor, label: actor.replace(/^\w+:/, '') }] }]
            : []),
          ...actors,
        ]}
        value={actor ?? null}
        onChange={(next) => change({ actor: next ?? '' })}
        searchable
        clearable
      />
      <Select
        w={140}
        label={words.action}
        placeholder={words.anyAction}
        data={Object.entries(words.actions).map(([value, label]) => ({ value, label }))}
        value={search.action ?? null}
        onChange={(action) => change({ action: action ?? '' })}
        clearable
      />
      <Select
        w={150}
        label={words.type}
        placeholder={words.anyType}
        data={Object.entries(auditTypes).map(([value, label]) => ({ value, label }))}
        value={search.type ?? null}
        onChange={(type) => change({ type: type ?? '' })}
        searchable
        clearable
      />
      <TextInput
        key={search.record ?? ''}
        className={classes.field}
        label={words.record}
        placeholder={words.recordHint}
        defaultValue={search.record}
        onChange={({ currentTarget }) => recordSoon(currentTarget.value)}
      />
      <TextInput
        type="date"
        w={132}
        label={words.from}
        value={search.from ?? ''}
        max={search.to}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        w={132}
        label={words.to}
        value={search.to ?? ''}
        min={search.from}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
    </search>
  );
}

/** Those that there are now; of others, the trail itself has links. */
function useActors() {
  const fleet = useFleet();
  const pagination = { pageSize: maxActors };
  const { data: people } = useQuery({
    queryKey: queryKey('user-account', 'names'),
    queryFn: ({ signal }) => fleet.userAccounts.find({ pagination }, { signal }).page(),
    staleTime: 300_000,
  });
  const { data: clients } = useQuery({
    queryKey: queryKey('client', 'names'),
    queryFn: ({ signal }) => fleet.clients.find({ pagination }, { signal }).page(),
    staleTime: 300_000,
  });
  return {
    people: (people?.items ?? []).map(({ username, name }) => ({
      value: `user:${username}`,
      label: name ? `${name} (${username})` : username,
    })),
    clients: (clients?.items ?? []).map(({ id, name }) => ({
      value: `client:${id}`,
      label: name === id ? id : `${name} (${id})`,
    })),
  };
}
