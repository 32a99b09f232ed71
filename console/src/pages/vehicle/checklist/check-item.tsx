import { Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { ChecklistEntry } from '@motorpool/client';
import { useState } from 'react';
import { AttachedFiles } from '../../../files/attached-files.tsx';
import { NumberInput } from '../../../forms/number-input.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { StateBadge } from '../../../values/state-badge.tsx';
import classes from './checklist-tab.module.css';
import { useAnswer } from './use-answer.ts';

type Props = { vehicleId: string; entry: ChecklistEntry; mayEdit: boolean };

const looks = {
  pass: { tone: 'good', icon: 'check' },
  flag: { tone: 'warning', icon: 'flag' },
  fail: { tone: 'danger', icon: 'x' },
} as const;

/** An entry with the editor of its kind; answered, it says by whom it was judged how. */
export function CheckItem({ vehicleId, entry, mayEdit }: Props) {
  const { checklist: texts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { answer } = useAnswer(vehicleId, entry);
  const { title, required, result, performedAt, dueDate, comment, blobs, value } = entry;
  return (
    <li className={classes.entry} data-done={result !== undefined || undefined}>
      <div className={classes.main}>
        {mayEdit ? (
          <Editor entry={entry} onAnswer={answer} />
        ) : (
          <span className={classes.title}>
            {title}
            {value !== undefined && typeof value !== 'boolean' && (
              <strong>{typeof value === 'number' ? formats.number(value, 2) : value}</strong>
            )}
          </span>
        )}
        {required && result === undefined && (
          <span className={classes.quiet}>{texts.required}</span>
        )}
        <span className={classes.aside}>
          {performedAt && <span className={classes.quiet}>{formats.time(performedAt)}</span>}
          {dueDate && result === undefined && (
            <span className={classes.quiet}>{texts.until(formats.date(dueDate))}</span>
          )}
          {mayEdit && result !== undefined ? (
            <SegmentedControl
              size="xs"
              aria-label={texts.resultOf(title)}
              data={(['pass', 'flag', 'fail'] as const).map((one) => ({
                value: one,
                label: texts.results[one],
              }))}
              value={result}
              onChange={(next) => answer({ result: next as keyof typeof looks })}
            />
          ) : (
            result && <StateBadge {...looks[result]} text={texts.results[result]} />
          )}
        </span>
      </div>
      {(comment || result === 'flag' || result === 'fail') &&
        (mayEdit ? (
          <Comment
            key={comment}
            label={texts.commentOf(title)}
            value={comment ?? ''}
            onSave={(next) => answer({ comment: next })}
          />
        ) : (
          <span className={classes.quiet}>{comment}</span>
        ))}
      <AttachedFiles
        files={blobs ?? []}
        download={(uuid, signal) =>
          fleet.checklist.downloadFile(vehicleId, entry.id, uuid, signal ? { signal } : {})
        }
      />
    </li>
  );
}

type EditorProps = {
  entry: ChecklistEntry;
  onAnswer(answer: { value: ChecklistEntry['value']; result: ChecklistEntry['result'] }): void;
};

/** Sent when the field is left, or at once where there is nothing to type. */
function Editor({ entry, onAnswer }: EditorProps) {
  const { title, type, value, options = [], result } = entry;
  const [typed, setTyped] = useState<string | number>(
    typeof value === 'boolean' ? '' : (value ?? ''),
  );
  const send = (next: string | number) => {
    if (next === (value ?? '')) return;
    onAnswer(
      next === ''
        ? { value: undefined, result: undefined }
        : { value: next, result: result ?? 'pass' },
    );
  };
  if (type === 'check')
    return (
      <Checkbox
        label={title}
        checked={result !== undefined}
        onChange={({ currentTarget }) =>
          onAnswer(
            currentTarget.checked
              ? { value: true, result: 'pass' }
              : { value: undefined, result: undefined },
          )
        }
      />
    );
  const common = { label: title, className: classes.field };
  if (type === 'select')
    return (
      <Select
        {...common}
        data={options}
        value={typeof value === 'string' ? value : null}
        clearable
        onChange={(next) => send(next ?? '')}
      />
    );
  if (type === 'number')
    return (
      <NumberInput
        {...common}
        value={typeof typed === 'number' ? typed : ''}
        onChange={setTyped}
        onBlur={() => send(typed)}
      />
    );
  return (
    <TextInput
      {...common}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => send(String(typed).trim())}
    />
  );
}

type CommentProps = { label: string; value: string; onSave(value: string): void };

function Comment({ label, value, onSave }: CommentProps) {
  const { checklist: texts } = useTexts();
  const [typed, setTyped] = useState(value);
  return (
    <TextInput
      aria-label={label}
      placeholder={texts.comment}
      className={classes.comment}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => typed !== value && onSave(typed)}
    />
  );
}
