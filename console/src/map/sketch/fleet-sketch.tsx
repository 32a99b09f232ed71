import type { Vehicle } from '@motorpool/client';
import type { Geometry } from 'geojson';
import { useMemo } from 'react';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { useNow } from '../../values/now.ts';
import { type StateName, stateLooks, stateOf } from '../../values/vehicle-state.tsx';
import classes from './fleet-sketch.module.css';
import { arcsOf, type Group, groupMarks } from './group-marks.ts';
import { outlinePath } from './outline-path.ts';
import { fitView, height, project, width } from './sketch-view.ts';

type Props = {
  vehicles: readonly Vehicle[];
  /** Undefined while they are loading. */
  outlines: { land: Geometry; borders: Geometry } | undefined;
};

/** Where the vehicles are, drawn without the library of maps. */
export function FleetSketch({ vehicles, outlines }: Props) {
  const now = useNow();
  const located = vehicles
    .toSorted((a, b) => (a.asset.id < b.asset.id ? -1 : 1))
    .flatMap((vehicle) => {
      const { location } = vehicle.status;
      return location ? [{ location, state: stateOf(vehicle, now) }] : [];
    });
  const view = fitView(located.map(({ location }) => location));
  const viewKey = JSON.stringify(view);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a view of the same place has the same paths
  const paths = useMemo(
    () =>
      view &&
      outlines && {
        land: outlinePath(outlines.land, view),
        borders: outlinePath(outlines.borders, view),
      },
    [viewKey, outlines],
  );
  const groups = view
    ? groupMarks(located.map(({ location, state }) => ({ at: project(view, location), state })))
    : [];
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={classes.sketch} aria-hidden="true">
      <path d={paths?.land ?? ''} className={classes.land} />
      <path d={paths?.borders ?? ''} className={classes.borders} />
      {groups
        .toSorted((a, b) => a.total - b.total)
        .map((group) => (
          <Mark key={group.at.join(' ')} group={group} />
        ))}
    </svg>
  );
}

const radiusOf = (total: number) => (total === 1 ? 5 : total < 20 ? 11 : total < 200 ? 14 : 17);
const ringWidth = 4;

/** A ring that shows how many are in which state, around their number; one alone is a dot. */
function Mark({ group }: { group: Group<StateName> }) {
  const { vehicleStates, overview } = useTexts();
  const formats = useFormats();
  const { total, states } = group;
  const [x, y] = group.at;
  const radius = radiusOf(total);
  const arcs = arcsOf(group, (state) => stateLooks[state].tone);
  const parts = [...states].map(([state, count]) =>
    overview.ofState(formats.number(count), vehicleStates[state]),
  );
  return (
    <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
      <title>{parts.join(', ')}</title>
      {total === 1 ? (
        <circle r={radius} className={classes.dot} data-tone={arcs[0]?.tone} />
      ) : (
        <>
          <circle r={radius + ringWidth / 2 + 1} className={classes.disc} />
          {arcs.map(({ tone, from, count }) => (
            <circle
              key={tone}
              r={radius}
              className={classes.arc}
              data-tone={tone}
              strokeWidth={ringWidth}
              pathLength={total}
              strokeDasharray={`${count} ${total - count}`}
              strokeDashoffset={-from}
              transform="rotate(-90)"
            />
          ))}
          <text className={classes.number}>{formats.number(total)}</text>
        </>
      )}
    </g>
  );
}
