import { severities } from './damage.ts';
import { roundedRectangle } from './geometry.ts';
import type { AtlasNames } from './names.ts';

const swatch = roundedRectangle(1.5, 1.5, 25, 15, 3.5);

/** What the fills mean. */
export function AtlasLegend({ id, names }: { id: string; names: AtlasNames }) {
  return (
    <ul className="atlas-legend">
      {severities.map((severity) => (
        <li key={severity}>
          <svg viewBox="0 0 28 18" aria-hidden="true">
            <path d={swatch} fill={`url(#${id}-${severity})`} />
            <path d={swatch} className={`atlas-edge atlas-severity-${severity}`} />
          </svg>
          {names.severities[severity]}
        </li>
      ))}
      <li>
        <svg viewBox="0 0 28 18" aria-hidden="true">
          <path d={swatch} className="atlas-edge atlas-hollow atlas-severity-none" />
        </svg>
        {names.repaired}
      </li>
    </ul>
  );
}
