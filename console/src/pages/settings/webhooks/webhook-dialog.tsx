import { MultiSelect, TextInput } from '@mantine/core';
import { eTagOf, type Webhook, type WebhookWithSecret } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from '../../../feedback/notify.ts';
import { recordEventTypes } from '../../../fleet/live-events.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { refusalOf, useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord } from '../edited-record.tsx';

type Values = { url: string; description: string; types: string[] };

export function NewWebhook(props: {
  onClose(): void;
  onCreated(webhook: WebhookWithSecret): void;
}) {
  const { webhooks: words } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (values: Values) => fleet.webhooks.create(requestOf(values)),
    onSuccess: (webhook) => {
      void queries.invalidateQueries({ queryKey: queryKey('webhook') });
      props.onCreated(webhook);
    },
  });
  return (
    <WebhookForm
      title={words.createTitle}
      submit={words.create}
      initial={{ url: 'https://', description: '', types: [] }}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={props.onClose}
    />
  );
}

export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const { webhooks: words, settings } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ read, values }: { read: Webhook; values: Values }) =>
      fleet.webhooks.put(webhook.id, requestOf(values), { ifMatch: eTagOf(read) }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKey('webhook') });
      notifyDone(settings.saved);
      onClose();
    },
  });
  return (
    <EditedRecord
      queryKey={['edited', 'webhook', webhook.id]}
      read={(signal) => fleet.webhooks.get(webhook.id, { signal })}
      title={words.editTitle}
      onClose={onClose}
    >
      {(read, reload) => (
        <WebhookForm
          key={eTagOf(read)}
          title={words.editTitle}
          submit={words.save}
          initial={{
            url: read.url,
            description: read.description ?? '',
            types: read.types ?? [],
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
  isPending: boolean;
  error: unknown;
  onSubmit(values: Values): void;
  onClose(): void;
  onReload?: () => void;
};

function WebhookForm({ initial, onSubmit, ...dialog }: FormProps) {
  const { webhooks: words } = useTexts();
  const form = useForm(initial, ({ url }) => ({
    url: /^https?:\/\/[^\s/]+/.test(url.trim()) ? undefined : words.badUrl,
  }));
  const { values, set, text } = form;
  const urlField = text('url');
  return (
    <FormDialog
      {...dialog}
      isDirty={form.isDirty}
      onSubmit={() => form.isValid() && onSubmit(values)}
    >
      <TextInput
        type="url"
        label={words.url}
        description={words.urlHelp}
        required
        maxLength={1_000}
        data-autofocus
        {...urlField}
        error={urlField.error ?? refusalOf(dialog.error, '/url')}
      />
      <TextInput label={words.description} maxLength={200} {...text('description')} />
      <MultiSelect
        size="xs"
        label={words.types}
        description={words.typesHelp}
        data={[...new Set([...recordEventTypes, ...values.types])]}
        value={values.types}
        onChange={(types) => set({ types })}
        searchable
        clearable
        hidePickedOptions
      />
    </FormDialog>
  );
}

function requestOf({ url, description, types }: Values) {
  return {
    url: url.trim(),
    ...(description.trim() && { description: description.trim() }),
    ...(types.length > 0 && { types }),
  };
}
