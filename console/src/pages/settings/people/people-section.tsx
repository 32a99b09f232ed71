import { Text } from '@mantine/core';
import type { InvitedUserAccount, UserAccount } from '@motorpool/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { useFleet, useSession } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { useNow } from '../../../values/now.ts';
import { StateBadge } from '../../../values/state-badge.tsx';
import { pageSize, RecordSection } from '../record-section.tsx';
import { SecretDialog } from '../secret-dialog.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { EditPerson, InvitePerson } from './person-dialog.tsx';

const nameOf = ({ name, username }: UserAccount) => name ?? username;

export function PeopleSection() {
  const texts = useTexts();
  const { people: words, settings, roles, forms } = texts;
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { person: self } = useSession();
  const { page = 0 } = useSettingsSearch().search;
  const [resetting, setResetting] = useState<UserAccount>();
  const [invited, setInvited] = useState<InvitedUserAccount>();
  const found = useQuery({
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
      setResetting(undefined);
      setInvited(person);
    },
    onSettled: renew,
  });
  return (
    <>
      <RecordSection
        name="people"
        icon="users"
        record="user-account"
        editableBy="admin"
        words={words}
        found={found}
        idOf={({ id }) => id}
        nameOf={nameOf}
        editAction={{ label: settings.edit, icon: 'pencil' }}
        deleteLabel={forms.delete}
        onDelete={({ id }) => fleet.userAccounts.delete(id)}
        actions={(person) => [
          { label: words.reset, icon: 'key-round', run: () => setResetting(person) },
          {
            label: person.disabledAt ? settings.enable : settings.disable,
            icon: person.disabledAt ? 'play' : 'pause',
            run: () => toggle.mutate(person),
          },
        ]}
        dialog={(person, close) =>
          person ? (
            <EditPerson person={person} onClose={close} />
          ) : (
            <InvitePerson
              onClose={close}
              onCreated={(created) => {
                close();
                setInvited(created);
              }}
            />
          )
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
            cell: ({ createdAt }) => formats.day(createdAt),
          },
        ]}
      />
      {resetting && (
        <ConfirmDialog
          title={words.resetTitle(nameOf(resetting))}
          text={words.resetText}
          confirm={words.resetConfirm}
          isPending={reset.isPending}
          error={reset.error}
          onConfirm={() => reset.mutate(resetting)}
          onClose={() => setResetting(undefined)}
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
