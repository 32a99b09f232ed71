import type { AreaState } from './damage.ts';
import type { AtlasNames } from './names.ts';
import type { PlacedArea } from './placed-areas.ts';
import type { View } from './view.ts';

type Props = { view: View; area: PlacedArea; state: AreaState | undefined; names: AtlasNames };

/** The name of an area and its damages, above it. */
export function AtlasTooltip({ view, area, state, names }: Props) {
  // Set as properties, which a strict content security policy allows, unlike a style attribute.
  const place = (element: HTMLElement | null) => {
    element?.style.setProperty('--atlas-x', String(area.centre[0] / view.width));
    element?.style.setProperty('--atlas-y', String(area.top / view.height));
  };
  return (
    <div className="atlas-tooltip" ref={place} aria-hidden="true">
      <strong>{names.positions[area.position]}</strong>
      {state?.damages.map((damage, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: damages have no id, and nothing is kept by key.
        <span key={index}>
          <i
            className={`atlas-dot atlas-severity-${damage.severity}${damage.repaired ? ' atlas-hollow' : ''}`}
          />
          {damage.label}
          <small>{damage.repaired ? names.repaired : names.severities[damage.severity]}</small>
        </span>
      ))}
    </div>
  );
}
