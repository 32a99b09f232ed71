import { Select, TextInput } from '@mantine/core';
import { eTagOf, type InvitedUserAccount, type UserAccount } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import type { Role } from '../../../session/session.ts';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord } from '../edited-record.tsx';

const roles = ['viewer', 'editor', 'admin'] as const;

type Values = { username: string; name: string; email: string; role: Role };

export function InvitePerson(props: {
  onClose(): void;
  onInvited(person: InvitedUserAccount): void;
}) {
  const { people: words } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ username, ...values }: Values) =>
      fleet.userAccounts.invite({ username: username.trim(), ...requestOf(values) }),
    onSuccess: (person) => {
      void queries.invalidateQueries({ queryKey: queryKey('user-account') });
      props.onInvited(person);
    },
  });
  return (
    <PersonForm
      title={words.inviteTitle}
      submit={words.invite}
      initial={{ username: '', name: '', email: '', role: 'viewer' }}
      isNew
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={props.onClose}
    />
  );
}

export function EditPerson({ person, onClose }: { person: UserAccount; onClose(): void }) {
  const { people: words, settings } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const title = words.edit(person.name ?? person.username);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ read, values }: { read: UserAccount; values: Values }) =>
      fleet.userAccounts.put(person.id, requestOf(values), { ifMatch: eTagOf(read) }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKey('user-account') });
      notifyDone(settings.saved);
      onClose();
    },
  });
  return (
    <EditedRecord
      queryKey={['edited', 'user-account', person.id]}
      read={(signal) => fleet.userAccounts.get(person.id, { signal })}
      title={title}
      onClose={onClose}
    >
      {(read, reload) => (
        <PersonForm
          key={eTagOf(read)}
          title={title}
          submit={words.save}
          initial={{
            username: read.username,
            name: read.name ?? '',
            email: read.email ?? '',
            role: read.role === 'databox' ? 'viewer' : read.role,
          }}
          isPending={isPending}
          error={error}
          onSubmit={(values) => mutate({ read, values })}
          onClose={onClose}
          onReload={reload}
        />
      )}
    </EditedRecord>
  );
}

type FormProps = {
  title: string;
  submit: string;
  initial: Values;
  isNew?: boolean;
  isPending: boolean;
  error: unknown;
  onSubmit(values: Values): void;
  onClose(): void;
  onReload?: () => void;
};

function PersonForm({ initial, isNew = false, onSubmit, ...dialog }: FormProps) {
  const { people: words, roles: names, settings } = useTexts();
  const form = useForm(initial, ({ username, email }) => ({
    username: /^[\w.+@-]{1,64}$/.test(username.trim()) ? undefined : words.badUsername,
    email: email && !/^[^\s@]+@[^\s@]+$/.test(email) ? words.badEmail : undefined,
  }));
  const { values, set, text } = form;
  return (
    <FormDialog
      {...dialog}
      isDirty={form.isDirty}
      onSubmit={() => form.isValid() && onSubmit(values)}
    >
      {isNew && (
        <TextInput
          label={words.username}
          description={words.usernameHelp}
          required
          maxLength={64}
          autoComplete="off"
          data-autofocus
          {...text('username')}
        />
      )}
      <TextInput label={words.fullName} maxLength={200} {...text('name')} />
      <TextInput
        label={words.email}
        description={words.emailHelp}
        type="email"
        maxLength={254}
        {...text('email')}
      />
      <Select
        label={settings.role}
        data={roles.map((value) => ({
          value,
          label: `${names[value]} · ${words.roleAbout[value]}`,
        }))}
        value={values.role}
        onChange={(role) => role && set({ role: role as Role })}
        allowDeselect={false}
      />
    </FormDialog>
  );
}

function requestOf({ name, email, role }: Omit<Values, 'username'>) {
  return {
    role,
    ...(name.trim() && { name: name.trim() }),
    ...(email.trim() && { email: email.trim() }),
  };
}
