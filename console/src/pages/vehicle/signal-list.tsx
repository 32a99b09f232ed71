import type { ReadVehicleStatus } from '@motorpool/client';
import type { ReactNode } from 'react';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import type { Formats } from '../../formats/formats.ts';
import type { Texts } from '../../texts/texts.ts';
import { useLocalization } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { Level } from '../../values/level.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import classes from './vehicle-page.module.css';

type Signals = ReadVehicleStatus['signals'];
export type SignalName = Exclude<keyof Signals, 'location'> &
  keyof {
    [Key in keyof Texts['vehicleFields'] as Key extends `status.${infer Name}`
      ? Name
      : never]: true;
  };

type Props = { names: readonly SignalName[]; signals: Signals | undefined };

export function SignalList({ names, signals }: Props) {
  const { texts, formats } = useLocalization();
  if (!signals)
    return (
      <Delayed>
        <Bone width="80%" />
      </Delayed>
    );
  const known = names.filter((name) => signals[name]?.value !== undefined);
  if (known.length === 0) return <p className={classes.nothing}>{texts.vehicle.notReported}</p>;
  return (
    <dl className={classes.signals}>
      {known.map((name) => (
        <div key={name}>
          <dt>{texts.vehicleFields[`status.${name}`]}</dt>
          <dd>
            <strong>{shownValue(name, signals[name]?.value, texts, formats)}</strong>
            <Age at={signals[name]?.measuredAt} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What is as it should be for a parked vehicle has no colour. */
const wanted: Partial<Record<SignalName, boolean>> = {
  isLocked: true,
  doorsClosed: true,
  windowsClosed: true,
};

function shownValue(
  name: SignalName,
  value: string | number | boolean | undefined,
  { table, vehicle }: Texts,
  formats: Formats,
): ReactNode {
  if (typeof value === 'boolean') {
    const text = value ? table.yes : table.no;
    return name in wanted && wanted[name] !== value ? (
      <StateBadge tone="warning" icon="triangle-alert" text={text} />
    ) : name === 'isCharging' && value ? (
      <StateBadge tone="good" icon="zap" text={text} />
    ) : (
      text
    );
  }
  if (typeof value === 'string') return formats.date(value);
  if (value === undefined) return undefined;
  if (name === 'fuelLevel') return <Level percent={value} />;
  if (name === 'nextServiceDistance' && value < 0)
    return (
      <StateBadge
        tone="danger"
        icon="circle-alert"
        text={vehicle.overdueBy(formats.kilometres(-value))}
      />
    );
  return formats.kilometres(value);
}
