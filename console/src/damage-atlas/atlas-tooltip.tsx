import type { AreaState } from './damage.ts';
import type { AtlasNames } from './names.ts';
import type { PlacedArea } from './placed-areas.ts';
import type { View } from './view.ts';

type Props = { view: View; area: PlacedArea; state: AreaState | undefined; names: AtlasNames };

const maxLines = 5;

/** The name of an area and its damages, above it, or below where there is no room above. */
export function AtlasTooltip({ view, area, state, names }: Props) {
  const damages = state?.damages ?? [];
  const isBelow = area.top < view.height * 0.3;
  // Set as properties, which a strict content security policy allows, unlike a style attribute.
  const place = (element: HTMLElement | null) => {
    element?.style.setProperty('--atlas-x', String(area.centre[0] / view.width));
    element?.style.setProperty(
      '--atlas-y',
      String((isBelow ? area.bottom : area.top) / view.height),
    );
  };
  return (
    <div
      className={`atlas-tooltip${isBelow ? ' atlas-tooltip-below' : ''}`}
      ref={place}
      aria-hidden="true"
    >
      <strong>{names.positions[area.position]}</strong>
      {damages.slice(0, maxLines).map((damage) => (
        <span key={damages.indexOf(damage)}>
          <i
            className={`atlas-dot atlas-severity-${damage.severity}${damage.repaired ? ' atlas-hollow' : ''}`}
          />
          {damage.label}
          <small>{damage.repaired ? names.repaired : names.severities[damage.severity]}</small>
        </span>
      ))}
      {damages.length > maxLines && <small>{`+ ${damages.length - maxLines}`}</small>}
    </div>
  );
}
