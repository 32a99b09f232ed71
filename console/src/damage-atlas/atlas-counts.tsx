import type { DamagePosition } from '@motorpool/client';
import type { AreaState } from './damage.ts';
import type { PlacedArea } from './placed-areas.ts';

type Props = { areas: readonly PlacedArea[]; states: ReadonlyMap<DamagePosition, AreaState> };

/** How many damages an area has, where it has several. */
export function AtlasCounts({ areas, states }: Props) {
  return areas.map(({ position, centre: [x, y] }) => {
    const state = states.get(position);
    if (state === undefined || state.damages.length < 2) return null;
    const hollow = state.hollow ? ' atlas-hollow' : '';
    return (
      <g
        key={position}
        className={`atlas-count atlas-severity-${state.severity}${hollow}`}
        transform={`translate(${x} ${y})`}
      >
        <circle />
        <text>{state.damages.length}</text>
      </g>
    );
  });
}
