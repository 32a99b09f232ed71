import { ActionIcon, Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import type { ChecklistTemplateEntry } from '@motorpool/client';
import { Icon } from '../../../icons/icon.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import classes from './templates.module.css';

export type TemplateEntry = Required<ChecklistTemplateEntry> & {
  /** Tells it from the others while they are moved. */
  key: string;
};

const types = ['check', 'number', 'text', 'select'] as const;

type Props = {
  entry: TemplateEntry;
  number: number;
  count: number;
  showsErrors: boolean;
  onChange(entry: TemplateEntry): void;
  onRemove(): void;
  onMove(step: number): void;
};

export function EntryEditor(props: Props) {
  const { entry, number, count, showsErrors, onChange, onRemove, onMove } = props;
  const { templates: words, forms } = useTexts();
  const { title, type, options, required } = entry;
  return (
    <li className={classes.entry}>
      <TextInput
        className={classes.entryTitle}
        aria-label={`${words.entry(number)}: ${words.entryTitle}`}
        placeholder={words.entryTitle}
        maxLength={200}
        value={title}
        onChange={({ currentTarget }) => onChange({ ...entry, title: currentTarget.value })}
        error={showsErrors && title.trim() === '' && forms.required}
      />
      <Select
        w={100}
        aria-label={`${words.entry(number)}: ${words.answer}`}
        data={types.map((value) => ({ value, label: words.answers[value] }))}
        value={type}
        onChange={(next) => next && onChange({ ...entry, type: next as TemplateEntry['type'] })}
        allowDeselect={false}
      />
      <div className={classes.entryEnd}>
        <Checkbox
          size="xs"
          label={words.required}
          checked={required}
          onChange={({ currentTarget }) => onChange({ ...entry, required: currentTarget.checked })}
        />
        <span className={classes.spring} />
        <ActionIcon
          aria-label={words.moveUp(number)}
          disabled={number === 1}
          onClick={() => onMove(-1)}
        >
          <Icon name="chevron-up" size={16} />
        </ActionIcon>
        <ActionIcon
          aria-label={words.moveDown(number)}
          disabled={number === count}
          onClick={() => onMove(1)}
        >
          <Icon name="chevron-down" size={16} />
        </ActionIcon>
        <ActionIcon
          aria-label={words.removeEntry(number)}
          disabled={count === 1}
          onClick={onRemove}
        >
          <Icon name="trash-2" size={16} />
        </ActionIcon>
      </div>
      {type === 'select' && (
        <TagsInput
          className={classes.options}
          size="xs"
          aria-label={`${words.entry(number)}: ${words.options}`}
          placeholder={`${words.options}. ${words.optionsHelp}`}
          value={options}
          onChange={(next) => onChange({ ...entry, options: next })}
          error={showsErrors && options.length === 0 && words.needsOptions}
        />
      )}
    </li>
  );
}
