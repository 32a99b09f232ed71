import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { type Client, type ClientCredentials, eTagOf } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { refusalOf, useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord } from '../edited-record.tsx';

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
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ isPublic, ...values }: Values) =>
      fleet.clients.create({ ...requestOf(values), public: isPublic }),
    onSuccess: (client) => {
      void queries.invalidateQueries({ queryKey: queryKey('client') });
      props.onCreated(client);
    },
  });
  return (
    <ClientForm
      title={words.add}
      submit={words.create}
      initial={newValues}
      isNew
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={props.onClose}
    />
  );
}

export function EditClient({ client, onClose }: { client: Client; onClose(): void }) {
  const { clients: words, settings } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const title = words.edit(client.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ read, values }: { read: Client; values: Values }) => {
      const { audiences, postLogoutRedirectUris } = read;
      const kept = {
        ...(audiences && { audiences }),
        ...(postLogoutRedirectUris && { postLogoutRedirectUris }),
      };
      const body = { ...requestOf(values, read.expiresAt), ...kept };
      return fleet.clients.put(client.id, body, { ifMatch: eTagOf(read) });
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKey('client') });
      notifyDone(settings.saved);
      onClose();
    },
  });
  return (
    <EditedRecord
      queryKey={['edited', 'client', client.id]}
      read={(signal) => fleet.clients.get(client.id, { signal })}
      title={title}
      onClose={onClose}
    >
      {(read, reload) => (
        <ClientForm
          key={eTagOf(read)}
          title={title}
          submit={words.save}
          initial={{
            name: read.name,
            role: read.role,
            isPublic: read.public,
            redirectUris: read.redirectUris ?? [],
            networks: read.networks ?? [],
            expiresOn: read.expiresAt?.slice(0, 10) ?? '',
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
      <TextInput
        type="date"
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
