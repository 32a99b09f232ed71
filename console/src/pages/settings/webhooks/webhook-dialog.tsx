import { MultiSelect, TextInput } from '@mantine/core';
import { eTagOf, type Webhook, type WebhookWithSecret } from '@motorpool/client';
import { recordEventTypes } from '../../../fleet/live-events.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { refusalOf, useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord, NewRecord, type RecordForm } from '../record-form.tsx';

type Values = { url: string; description: string; types: string[] };

export function NewWebhook(props: {
  onClose(): void;
  onCreated(webhook: WebhookWithSecret): void;
}) {
  const { webhooks: words } = useTexts();
  const fleet = useFleet();
  return (
    <NewRecord
      record="webhook"
      create={(values: Values) => fleet.webhooks.create(requestOf(values))}
      {...props}
    >
      {(form) => (
        <WebhookForm
          {...form}
          title={words.createTitle}
          submit={words.create}
          initial={{ url: 'https://', description: '', types: [] }}
        />
      )}
    </NewRecord>
  );
}

export function EditWebhook({ webhook: { id }, onClose }: { webhook: Webhook; onClose(): void }) {
  const { webhooks: words } = useTexts();
  const { webhooks } = useFleet();
  return (
    <EditedRecord
      record="webhook"
      id={id}
      title={words.editTitle}
      read={(signal) => webhooks.get(id, { signal })}
      save={(values: Values, read) =>
        webhooks.put(id, requestOf(values), { ifMatch: eTagOf(read) })
      }
      onClose={onClose}
    >
      {(read, form) => (
        <WebhookForm
          {...form}
          title={words.editTitle}
          submit={words.save}
          initial={{
            url: read.url,
            description: read.description ?? '',
            types: read.types ?? [],
          }}
        />
      )}
    </EditedRecord>
  );
}

type FormProps = RecordForm<Values> & { title: string; submit: string; initial: Values };

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
