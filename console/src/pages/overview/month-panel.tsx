import { Panel } from '../../layout/panel.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import classes from './overview-page.module.css';

type Props = {
  title: string;
  /** The oldest first; the last is not over yet. */
  months: readonly { month: string; value: number }[];
  describe(value: number): string;
  /** What the months leave out. */
  note?: string;
};

/** A value by month, and how the last whole month compares with the one before. */
export function MonthPanel({ title, months, describe, note }: Props) {
  const { overview } = useTexts();
  const formats = useFormats();
  const [before, last, current] = months.slice(-3);
  return (
    <Panel title={title}>
      {last && (
        <div className={classes.cost}>
          <span className={classes.quiet}>{formats.month(last.month)}</span>
          <strong>{describe(last.value)}</strong>
          {before && before.value > 0 && (
            <span className={classes.quiet}>
              {overview.change(
                formats.change(last.value / before.value - 1),
                formats.month(before.month),
              )}
            </span>
          )}
        </div>
      )}
      <Bars months={months} describe={describe} />
      {current && (
        <p className={classes.quiet}>
          {overview.soFar(formats.month(current.month), describe(current.value))}
        </p>
      )}
      {note && <p className={classes.quiet}>{note}</p>}
    </Panel>
  );
}

const height = 88;

/** A list for readers of the screen, drawn as bars. The month that is not over yet is hollow. */
function Bars({ months, describe }: Pick<Props, 'months' | 'describe'>) {
  const formats = useFormats();
  const largest = Math.max(1, ...months.map(({ value }) => value));
  return (
    <ol className={classes.bars}>
      {months.map(({ month, value }, index) => (
        <li key={month} title={`${formats.month(month)}: ${describe(value)}`}>
          <span
            className={classes.bar}
            data-current={index === months.length - 1 || undefined}
            style={{ height: Math.max(2, (Math.max(0, value) / largest) * height) }}
          />
          <span className={classes.hidden}>{`${formats.month(month)}: ${describe(value)}`}</span>
        </li>
      ))}
    </ol>
  );
}
