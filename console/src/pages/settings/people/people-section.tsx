import { Button, Text } from '@mantine/core';
import type { InvitedUserAccount, UserAccount } from '@motorpool/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet, useSession } from '../../../session/connection.tsx';
import { Pager } from '../../../table/pager.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { useNow } from '../../../values/now.ts';
import { StateBadge } from '../../../values/state-badge.tsx';
import { RecordTable } from '../record-table.tsx';
import { RowMenu } from '../row-menu.tsx';
import { SecretDialog } from '../secret-dialog.tsx';
import { SectionHeader } from '../section-header.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { EditPerson, InvitePerson } from './person-dialog.tsx';

const pageSize = 50;

type Dialog = { kind: 'invite' } | { kind: 'edit' | 'reset' | 'delete'; person: UserAccount };

const nameOf = ({ name, username }: UserAccount) => name ?? username;

export function PeopleSection() {
  const texts = useTexts();
  const { people: words, settings, roles } = texts;
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { person: self } = useSession();
  const { search, change } = useSettingsSearch();
  const [dialog, setDialog] = useState<Dialog>();
  const [invited, setInvited] = useState<InvitedUserAccount>();
  const close = () => setDialog(undefined);
  const page = search.page ?? 0;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: queryKey('user-account', 'page', page),
    queryFn: ({ signal }) =>
      fleet.userAccounts.find({ pagination: { pageNumber: page, pageSize } }, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const renew = () => queries.invalidateQueries({ queryKey: queryKey('user-account') });
  const toggle = useMutation({
    mutationFn: ({ id, disabledAt }: UserAccount) =>
      disabledAt ? fleet.userAccounts.enable(id) : fleet.userAccounts.disable(id),
    onSuccess: (person) =>
      notifyDone((person.disabledAt ? words.disabled : words.enabled)(nameOf(person))),
    onError: (problem) => notifyProblem(problem, texts),
    onSettled: renew,
  });
  const reset = useMutation({
    mutationFn: ({ id }: UserAccount) => fleet.userAccounts.reset(id),
    onSuccess: (person) => {
      close();
      setInvited(person);
    },
    onSettled: renew,
  });
  const remove = useMutation({
    mutationFn: ({ id }: UserAccount) => fleet.userAccounts.delete(id),
    onSuccess: (_, person) => {
      close();
      notifyDone(settings.deleted(nameOf(person)));
    },
    onSettled: renew,
  });
  const add = (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => setDialog({ kind: 'invite' })}
    >
      {words.add}
    </Button>
  );
  const total = data?.pagination.totalEntries ?? 0;
  return (
    <>
      <SectionHeader name="people" action={data?.items.length !== 0 && add} />
      <RecordTable
        label={settings.sections.people}
        rows={data?.items}
        idOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon="users" {...words.none}>
            {add}
          </EmptyState>
        }
        columns={[
          {
            header: settings.name,
            cell: (person) => (
              <div>
                <Text fw={500} truncate>
                  {nameOf(person)}
                  {person.username === self.username && (
                    <Text span c="dimmed" fw={400}>
                      {` · ${words.you}`}
                    </Text>
                  )}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {[person.username, person.email].filter(Boolean).join(' · ')}
                </Text>
              </div>
            ),
          },
          { header: settings.role, width: 140, cell: ({ role }) => roles[role] },
          {
            header: settings.state,
            width: 180,
            cell: (person) => <PersonState person={person} />,
          },
          {
            header: words.secondFactor,
            width: 120,
            cell: ({ hasSecondFactor }) =>
              hasSecondFactor ? words.hasSecondFactor : words.noSecondFactor,
          },
          {
            header: settings.created,
            width: 130,
            cell: ({ createdAt }) => formats.date(createdAt),
          },
        ]}
        actions={(person) => (
          <RowMenu
            name={nameOf(person)}
            items={[
              {
                label: settings.edit,
                icon: 'pencil',
                run: () => setDialog({ kind: 'edit', person }),
              },
              {
                label: words.reset,
                icon: 'key-round',
                run: () => setDialog({ kind: 'reset', person }),
              },
              {
                label: person.disabledAt ? settings.enable : settings.disable,
                icon: person.disabledAt ? 'play' : 'pause',
                run: () => toggle.mutate(person),
              },
              {
                label: texts.forms.delete,
                icon: 'trash-2',
                isDangerous: true,
                run: () => setDialog({ kind: 'delete', person }),
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
      {dialog?.kind === 'invite' && (
        <InvitePerson
          onClose={close}
          onInvited={(person) => {
            close();
            setInvited(person);
          }}
        />
      )}
      {dialog?.kind === 'edit' && <EditPerson person={dialog.person} onClose={close} />}
      {dialog?.kind === 'reset' && (
        <ConfirmDialog
          title={words.resetTitle(nameOf(dialog.person))}
          text={words.resetText}
          confirm={words.resetConfirm}
          isPending={reset.isPending}
          error={reset.error}
          onConfirm={() => reset.mutate(dialog.person)}
          onClose={close}
        />
      )}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(nameOf(dialog.person))}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(dialog.person)}
          onClose={close}
        />
      )}
      {invited && (
        <SecretDialog
          title={words.linkTitle(nameOf(invited))}
          warning={words.linkOnce}
          values={[{ label: words.link, value: invited.invitationLink }]}
          onClose={() => setInvited(undefined)}
        >
          {invited.invitationExpiresAt && (
            <Text size="sm" c="dimmed">
              {words.linkUntil(formats.time(invited.invitationExpiresAt))}
            </Text>
          )}
        </SecretDialog>
      )}
    </>
  );
}

function PersonState({ person }: { person: UserAccount }) {
  const { settings, people: words } = useTexts();
  const now = useNow();
  if (person.disabledAt) return <StateBadge tone="neutral" icon="ban" text={settings.disabled} />;
  if (person.hasPassword)
    return <StateBadge tone="good" icon="circle-check" text={settings.active} />;
  const { invitationExpiresAt } = person;
  const isOpen = invitationExpiresAt && new Date(invitationExpiresAt).getTime() > now;
  return isOpen ? (
    <StateBadge tone="info" icon="circle-dashed" text={words.invited} />
  ) : (
    <StateBadge tone="warning" icon="triangle-alert" text={words.expired} />
  );
}
