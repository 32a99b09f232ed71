import { Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { ChecklistEntry } from '@motorpool/client';
import { AttachedFiles } from '../../../files/attached-files.tsx';
import { NumberInput } from '../../../forms/number-input.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { StateBadge } from '../../../values/state-badge.tsx';
import classes from './checklist-tab.module.css';
import { type Answer, type OnAnswer, useAnswer } from './use-answer.ts';
import { useTypedAnswer } from './use-typed-answer.ts';

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
          <Comment entry={entry} onAnswer={answer} />
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

type FieldProps = { entry: ChecklistEntry; onAnswer: OnAnswer };

/** Sent when the field is left, or at once where there is nothing to type. */
function Editor({ entry, onAnswer }: FieldProps) {
  const { title, type, value, options = [], result } = entry;
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
  if (type === 'select')
    return (
      <Select
        label={title}
        className={classes.field}
        data={options}
        value={typeof value === 'string' ? value : null}
        clearable
        onChange={(next) => {
          const answer = answerOf(entry, next ?? '');
          if (answer) onAnswer(answer);
        }}
      />
    );
  return type === 'number' ? (
    <NumberEditor entry={entry} onAnswer={onAnswer} />
  ) : (
    <TextEditor entry={entry} onAnswer={onAnswer} />
  );
}

function NumberEditor({ entry, onAnswer }: FieldProps) {
  const { title, value } = entry;
  const { typed, type, leave } = useTypedAnswer<number | ''>(entry, onAnswer, answerOf);
  return (
    <NumberInput
      label={title}
      className={classes.field}
      value={typed ?? (typeof value === 'number' ? value : '')}
      onChange={type}
      onBlur={leave}
    />
  );
}

function TextEditor({ entry, onAnswer }: FieldProps) {
  const { title, value } = entry;
  const { typed, type, leave } = useTypedAnswer<string>(entry, onAnswer, (base, next) =>
    answerOf(base, next.trim()),
  );
  return (
    <TextInput
      label={title}
      className={classes.field}
      value={typed ?? (typeof value === 'boolean' ? '' : String(value ?? ''))}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={leave}
    />
  );
}

/** Undefined where the entry has that value already. */
function answerOf(
  { value, result }: ChecklistEntry,
  next: string | number,
): Partial<Answer> | undefined {
  if (next === (value ?? '')) return undefined;
  if (next === '') return { value: undefined, result: undefined };
  return { value: next, result: result ?? 'pass' };
}

function Comment({ entry, onAnswer }: FieldProps) {
  const { checklist: texts } = useTexts();
  const { typed, type, leave } = useTypedAnswer<string>(entry, onAnswer, (base, comment) =>
    comment === (base.comment ?? '') ? undefined : { comment },
  );
  return (
    <TextInput
      aria-label={texts.commentOf(entry.title)}
      placeholder={texts.comment}
      className={classes.comment}
      value={typed ?? entry.comment ?? ''}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={leave}
    />
  );
}
