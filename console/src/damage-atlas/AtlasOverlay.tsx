import type { DamagePosition } from '@motorpool/client';
import type { AreaState } from './damage.ts';
import type { PlacedArea } from './placed-areas.ts';

type Props = {
  areas: readonly PlacedArea[];
  states: ReadonlyMap<DamagePosition, AreaState>;
  active: PlacedArea | undefined;
  pointed: PlacedArea | undefined;
  selected: PlacedArea | undefined;
};

/** What must lie over the whole drawing, so that no neighbour hides it: outlines and counts. */
export function AtlasOverlay({ areas, states, active, pointed, selected }: Props) {
  const damaged = areas.flatMap((area) => {
    const state = states.get(area.position);
    return state ? [{ ...area, state }] : [];
  });
  return (
    <g className="atlas-overlay">
      {damaged.map(({ position, path, state }) => (
        <path
          key={position}
          className={`atlas-rim-line atlas-severity-${state.severity}${state.hollow ? ' atlas-hollow' : ''}`}
          d={path}
        />
      ))}
      {damaged.map(({ position, centre: [x, y], state }) =>
        state.damages.length > 1 ? (
          <g
            key={position}
            className={`atlas-severity-${state.severity}`}
            transform={`translate(${x} ${y})`}
          >
            <circle className={`atlas-count${state.hollow ? ' atlas-hollow' : ''}`} />
            <text className={`atlas-count-text${state.hollow ? ' atlas-hollow' : ''}`}>
              {state.damages.length}
            </text>
          </g>
        ) : null,
      )}
      {pointed && <path className="atlas-pointed" d={pointed.path} />}
      {selected && <path className="atlas-selected" d={selected.path} />}
      {active && <path className="atlas-focus-halo" d={active.path} />}
      {active && <path className="atlas-focus" d={active.path} />}
    </g>
  );
}
