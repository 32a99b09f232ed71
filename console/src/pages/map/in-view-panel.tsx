import { Text, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { Vehicle } from '@motorpool/client';
import { useRef } from 'react';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { moveFocus } from '../../table/data-table.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { Level } from '../../values/level.tsx';
import { useNow } from '../../values/now.ts';
import { StateBadge } from '../../values/state-badge.tsx';
import { modelOf, plateOf } from '../../values/vehicle-names.ts';
import { type StateName, stateLooks, stateOf, VehicleState } from '../../values/vehicle-state.tsx';
import classes from './map-page.module.css';

type Props = {
  /** Undefined while they are loading. */
  vehicles: readonly Vehicle[] | undefined;
  withoutPosition: number;
  selected: string | undefined;
  onSelect(vehicle: Vehicle): void;
};

const maxShown = 100;
const stateNames = Object.keys(stateLooks) as StateName[];

/** What is in view, as a list: how many in which state, and each of them. */
export function InViewPanel({ vehicles, withoutPosition, selected, onSelect }: Props) {
  const { map: texts, vehicleStates } = useTexts();
  const formats = useFormats();
  const now = useNow();
  const container = useRef<HTMLDivElement>(null);
  useHotkeys([
    ['j', () => moveFocus(container.current, 1)],
    ['k', () => moveFocus(container.current, -1)],
  ]);
  if (!vehicles)
    return (
      <Delayed>
        {[...'abcdefgh'].map((key) => (
          <p key={key} className={classes.bone}>
            <Bone width="70%" />
          </p>
        ))}
      </Delayed>
    );
  const byState = Map.groupBy(vehicles, (vehicle) => stateOf(vehicle, now));
  const present = stateNames.filter((state) => byState.has(state));
  const ordered = present
    .flatMap((state) =>
      (byState.get(state) ?? []).toSorted((a, b) => plateOf(a).localeCompare(plateOf(b))),
    )
    .slice(0, maxShown);
  return (
    <div className={classes.panelContent} ref={container}>
      <Text fw={600} aria-live="polite" className={classes.panelTitle}>
        {texts.inViewCount(vehicles.length, formats.number(vehicles.length))}
      </Text>
      <ul className={classes.states} aria-label={texts.states}>
        {present.map((state) => (
          <li key={state}>
            <StateBadge {...stateLooks[state]} text={vehicleStates[state]} />
            <span>{formats.number(byState.get(state)?.length ?? 0)}</span>
          </li>
        ))}
      </ul>
      {vehicles.length === 0 && <p className={classes.quiet}>{texts.nothingInView}</p>}
      <ul className={classes.list} aria-label={texts.inView}>
        {ordered.map((vehicle) => (
          <li key={vehicle.asset.id}>
            <Row vehicle={vehicle} isSelected={vehicle.asset.id === selected} onSelect={onSelect} />
          </li>
        ))}
      </ul>
      {vehicles.length > maxShown && (
        <p className={classes.quiet}>{texts.more(formats.number(vehicles.length - maxShown))}</p>
      )}
      {withoutPosition > 0 && (
        <p className={classes.quiet}>
          {texts.noPosition(withoutPosition, formats.number(withoutPosition))}
        </p>
      )}
    </div>
  );
}

type RowProps = { vehicle: Vehicle; isSelected: boolean; onSelect(vehicle: Vehicle): void };

function Row({ vehicle, isSelected, onSelect }: RowProps) {
  const { fuelLevel, isCharging, lastUpdated } = vehicle.status;
  return (
    <UnstyledButton
      className={classes.row}
      data-row
      aria-pressed={isSelected}
      onClick={() => onSelect(vehicle)}
    >
      <strong>{plateOf(vehicle)}</strong>
      <VehicleState vehicle={vehicle} />
      <span className={classes.model}>{modelOf(vehicle)}</span>
      {fuelLevel === undefined ? (
        <Age at={lastUpdated} />
      ) : (
        <Level percent={fuelLevel} isCharging={isCharging} />
      )}
    </UnstyledButton>
  );
}
