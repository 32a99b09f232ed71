import { Button, TextInput } from '@mantine/core';
import { type ChecklistTemplate, eTagOf } from '@motorpool/client';
import { useState } from 'react';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { refusalOf, useForm } from '../../../forms/use-form.ts';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord, NewRecord, type RecordForm } from '../record-form.tsx';
import { EntryEditor, type TemplateEntry } from './entry-editor.tsx';
import classes from './templates.module.css';

type Values = { name: string; entries: TemplateEntry[] };

const newEntry = (): TemplateEntry => ({
  key: crypto.randomUUID(),
  title: '',
  type: 'check',
  options: [],
  required: false,
});

export function NewTemplate({ onClose }: { onClose(): void }) {
  const { templates: words } = useTexts();
  const fleet = useFleet();
  return (
    <NewRecord
      record="checklist-template"
      create={(values: Values) => fleet.checklistTemplates.create(requestOf(values))}
      onClose={onClose}
    >
      {(form) => <TemplateForm {...form} title={words.createTitle} submit={words.create} />}
    </NewRecord>
  );
}

type EditProps = { template: ChecklistTemplate; onClose(): void };

export function EditTemplate({ template: { id, name }, onClose }: EditProps) {
  const { templates: words } = useTexts();
  const { checklistTemplates } = useFleet();
  return (
    <EditedRecord
      record="checklist-template"
      id={id}
      title={name}
      read={(signal) => checklistTemplates.get(id, { signal })}
      save={(values: Values, read) =>
        checklistTemplates.put(id, requestOf(values), { ifMatch: eTagOf(read) })
      }
      onClose={onClose}
    >
      {(read, form) => <TemplateForm {...form} title={name} submit={words.save} template={read} />}
    </EditedRecord>
  );
}

type FormProps = RecordForm<Values> & {
  title: string;
  submit: string;
  template?: ChecklistTemplate;
};

function TemplateForm({ template, onSubmit, ...dialog }: FormProps) {
  const { templates: words, settings, forms } = useTexts();
  const initial = useInitial(template);
  const form = useForm<Values>(initial, ({ name, entries }) => ({
    name: name.trim() === '' ? forms.required : undefined,
    entries: entries.some((entry) => entry.title.trim() === '' || lacksOptions(entry))
      ? forms.required
      : undefined,
  }));
  const { values, set, text } = form;
  const { entries } = values;
  const nameField = text('name');
  const change = (next: TemplateEntry[]) => set({ entries: next });
  return (
    <FormDialog
      {...dialog}
      isDirty={form.isDirty}
      onSubmit={() => form.isValid() && onSubmit(values)}
    >
      <TextInput
        label={settings.name}
        required
        maxLength={200}
        data-autofocus
        {...nameField}
        error={nameField.error ?? refusalOf(dialog.error, '/name')}
      />
      <ol className={classes.entries} aria-label={words.entries}>
        {entries.map((entry, index) => (
          <EntryEditor
            key={entry.key}
            entry={entry}
            number={index + 1}
            count={entries.length}
            showsErrors={form.errorOf('entries') !== undefined}
            onChange={(next) => change(entries.toSpliced(index, 1, next))}
            onRemove={() => change(entries.toSpliced(index, 1))}
            onMove={(step) => change(entries.toSpliced(index, 1).toSpliced(index + step, 0, entry))}
          />
        ))}
      </ol>
      <Button
        variant="default"
        leftSection={<Icon name="plus" size={16} />}
        onClick={() => change([...entries, newEntry()])}
      >
        {words.addEntry}
      </Button>
    </FormDialog>
  );
}

const lacksOptions = ({ type, options }: TemplateEntry) =>
  type === 'select' && options.length === 0;

function useInitial(template: ChecklistTemplate | undefined): Values {
  const [initial] = useState<Values>(() => ({
    name: template?.name ?? '',
    entries: template?.entries.map((entry) => ({
      options: [],
      ...entry,
      key: crypto.randomUUID(),
    })) ?? [newEntry()],
  }));
  return initial;
}

function requestOf({ name, entries }: Values) {
  return {
    name: name.trim(),
    entries: entries.map(({ title, type, options, required }) => ({
      title: title.trim(),
      type,
      required,
      ...(type === 'select' && { options }),
    })),
  };
}
