import { Select, TextInput } from '@mantine/core';
import { eTagOf, type InvitedUserAccount, type UserAccount } from '@motorpool/client';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord, NewRecord, type RecordForm } from '../record-form.tsx';

const roles = ['viewer', 'editor', 'admin'] as const;

type Values = { username: string; name: string; email: string; role: UserAccount['role'] };

export function InvitePerson(props: {
  onClose(): void;
  onCreated(person: InvitedUserAccount): void;
}) {
  const { people: words } = useTexts();
  const fleet = useFleet();
  return (
    <NewRecord
      record="user-account"
      create={({ username, ...values }: Values) =>
        fleet.userAccounts.invite({ username: username.trim(), ...requestOf(values) })
      }
      {...props}
    >
      {(form) => (
        <PersonForm
          {...form}
          title={words.inviteTitle}
          submit={words.invite}
          initial={{ username: '', name: '', email: '', role: 'viewer' }}
          isNew
        />
      )}
    </NewRecord>
  );
}

export function EditPerson({ person, onClose }: { person: UserAccount; onClose(): void }) {
  const { people: words } = useTexts();
  const { userAccounts } = useFleet();
  const { id } = person;
  const title = words.edit(person.name ?? person.username);
  return (
    <EditedRecord
      record="user-account"
      id={id}
      title={title}
      read={(signal) => userAccounts.get(id, { signal })}
      save={(values: Values, read) =>
        userAccounts.put(id, requestOf(values), { ifMatch: eTagOf(read) })
      }
      onClose={onClose}
    >
      {(read, form) => (
        <PersonForm
          {...form}
          title={title}
          submit={words.save}
          initial={{
            username: read.username,
            name: read.name ?? '',
            email: read.email ?? '',
            role: read.role,
          }}
        />
      )}
    </EditedRecord>
  );
}

type FormProps = RecordForm<Values> & {
  title: string;
  submit: string;
  initial: Values;
  isNew?: boolean;
};

function PersonForm({ initial, isNew = false, onSubmit, ...dialog }: FormProps) {
  const { people: words, roles: names, settings } = useTexts();
  const form = useForm(initial, ({ username, email }) => ({
    username: /^[\w.+@-]{1,64}$/.test(username.trim()) ? undefined : words.badUsername,
    email: email && !/^[^\s@]+@[^\s@]+$/.test(email) ? words.badEmail : undefined,
  }));
  const { values, set, text } = form;
  const choices = roles.map((value) => ({
    value,
    label: `${names[value]} · ${words.roleAbout[value]}`,
  }));
  // People are given no other role here; one that they have stays.
  const isOther = initial.role === 'databox';
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
        data={isOther ? [...choices, { value: 'databox', label: names.databox }] : choices}
        value={values.role}
        onChange={(role) => role && set({ role: role as Values['role'] })}
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
