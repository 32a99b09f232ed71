import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { type Client, type ClientCredentials, eTagOf } from '@motorpool/client';
import { DateInput } from '../../../forms/date-input.tsx';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { refusalOf, useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord, NewRecord, type RecordForm } from '../record-form.tsx';

const roles = ['databox', 'viewer', 'editor', 'admin'] as const;

type Values = {
  name: string;
  role: (typeof roles)[number];
  isPublic: boolean;
  redirectUris: string[];
  networks: string[];
  expiresOn: string;
};

const newValues: Values = {
  name: '',
  role: 'viewer',
  isPublic: false,
  redirectUris: [],
  networks: [],
  expiresOn: '',
};

export function NewClient(props: { onClose(): void; onCreated(client: ClientCredentials): void }) {
  const { clients: words } = useTexts();
  const fleet = useFleet();
  return (
    <NewRecord
      record="client"
      create={({ isPublic, ...values }: Values) =>
        fleet.clients.create({ ...requestOf(values), public: isPublic })
      }
      {...props}
    >
      {(form) => (
        <ClientForm {...form} title={words.add} submit={words.create} initial={newValues} isNew />
      )}
    </NewRecord>
  );
}

export function EditClient({ client: { id, name }, onClose }: { client: Client; onClose(): void }) {
  const { clients: words } = useTexts();
  const { clients } = useFleet();
  const title = words.edit(name);
  return (
    <EditedRecord
      record="client"
      id={id}
      title={title}
      read={(signal) => clients.get(id, { signal })}
      save={(values: Values, read) => {
        const { audiences, postLogoutRedirectUris } = read;
        const kept = {
          ...(audiences && { audiences }),
          ...(postLogoutRedirectUris && { postLogoutRedirectUris }),
        };
        const body = { ...requestOf(values, read.expiresAt), ...kept };
        return clients.put(id, body, { ifMatch: eTagOf(read) });
      }}
      onClose={onClose}
    >
      {(read, form) => (
        <ClientForm {...form} title={title} submit={words.save} initial={valuesOf(read)} />
      )}
    </EditedRecord>
  );
}

function valuesOf(client: Client): Values {
  return {
    name: client.name,
    role: client.role,
    isPublic: client.public,
    redirectUris: client.redirectUris ?? [],
    networks: client.networks ?? [],
    expiresOn: client.expiresAt?.slice(0, 10) ?? '',
  };
}

type FormProps = RecordForm<Values> & {
  title: string;
  submit: string;
  initial: Values;
  isNew?: boolean;
};

function ClientForm({ initial, isNew = false, onSubmit, ...dialog }: FormProps) {
  const { clients: words, roles: names, settings, forms } = useTexts();
  const form = useForm(initial, ({ name, isPublic, redirectUris }) => ({
    name: name.trim() === '' ? forms.required : undefined,
    redirectUris: isPublic && redirectUris.length === 0 ? forms.required : undefined,
  }));
  const { values, set, text } = form;
  return (
    <FormDialog
      {...dialog}
      isDirty={form.isDirty}
      onSubmit={() => form.isValid() && onSubmit(values)}
    >
      <TextInput
        label={settings.name}
        description={words.nameHelp}
        required
        maxLength={200}
        data-autofocus
        {...text('name')}
      />
      <Select
        label={settings.role}
        description={words.roleHelp}
        data={roles.map((value) => ({
          value,
          label: `${names[value]} · ${words.roleAbout[value]}`,
        }))}
        value={values.role}
        onChange={(role) => role && set({ role: role as Values['role'] })}
        allowDeselect={false}
      />
      {isNew && (
        <Checkbox
          size="xs"
          label={words.public}
          description={words.publicHelp}
          checked={values.isPublic}
          onChange={({ currentTarget }) => set({ isPublic: currentTarget.checked })}
        />
      )}
      {(values.isPublic || values.redirectUris.length > 0) && (
        <TagsInput
          size="xs"
          label={words.redirects}
          description={words.redirectsHelp}
          value={values.redirectUris}
          onChange={(redirectUris) => set({ redirectUris })}
          error={form.errorOf('redirectUris') ?? refusalOf(dialog.error, '/redirectUris')}
        />
      )}
      <TagsInput
        size="xs"
        label={words.networks}
        description={words.networksHelp}
        value={values.networks}
        onChange={(networks) => set({ networks })}
        error={refusalOf(dialog.error, '/networks')}
      />
      <DateInput
        label={words.expires}
        description={words.expiresHelp}
        {...text('expiresOn')}
        error={refusalOf(dialog.error, '/expiresAt')}
      />
    </FormDialog>
  );
}

/** A day that was not changed keeps its time. */
function requestOf(
  { name, role, redirectUris, networks, expiresOn }: Omit<Values, 'isPublic'>,
  expiresAt?: string,
) {
  return {
    name: name.trim(),
    role,
    ...(redirectUris.length > 0 && { redirectUris }),
    ...(networks.length > 0 && { networks }),
    ...(expiresOn && {
      expiresAt: expiresAt?.startsWith(expiresOn) ? expiresAt : `${expiresOn}T00:00:00Z`,
    }),
  };
}
