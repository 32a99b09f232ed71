import type { DamagePosition } from '@motorpool/client';
import { type KeyboardEvent, type SyntheticEvent, useMemo, useState } from 'react';
import { AtlasArea } from './atlas-area.tsx';
import { AtlasCounts } from './atlas-counts.tsx';
import { AtlasGradients, gradientOf } from './atlas-gradients.tsx';
import { AtlasShape } from './atlas-shape.tsx';
import { AtlasTooltip } from './atlas-tooltip.tsx';
import type { AreaState } from './damage.ts';
import type { AtlasNames } from './names.ts';
import { isDirection, nearestArea } from './nearest-area.ts';
import { placedAreas } from './placed-areas.ts';
import type { ViewName } from './view.ts';
import { views } from './views.ts';

type Props = {
  name: ViewName;
  id: string;
  names: AtlasNames;
  states: ReadonlyMap<DamagePosition, AreaState>;
  selected: DamagePosition | undefined;
  hovered: DamagePosition | undefined;
  onSelect: ((position: DamagePosition) => void) | undefined;
  onHover: (position: DamagePosition | undefined) => void;
};

/** One view of the vehicle: one stop of the tab key, within which the arrow keys move. */
export function AtlasView(props: Props) {
  const { name, id, names, states, selected, hovered, onSelect, onHover } = props;
  const view = views[name];
  const areas = useMemo(() => placedAreas(view), [view]);
  const [focused, setFocused] = useState<DamagePosition>();
  const of = (position: DamagePosition | undefined) =>
    areas.find((area) => area.position === position);
  const active = of(focused) ?? of(selected) ?? areas[0];
  const pointed = of(hovered);

  const onFocus = (event: SyntheticEvent) => {
    const position = positionOf(event);
    setFocused(position);
    onHover(position);
  };
  const onClick = (event: SyntheticEvent) => {
    const position = positionOf(event);
    if (position !== undefined) onSelect?.(position);
  };
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    if (isDirection(event.key) && active !== undefined) {
      event.preventDefault();
      const next = nearestArea(areas, active, event.key);
      const element = event.currentTarget.querySelector(`[data-position=${next?.position}]`);
      if (element instanceof SVGElement) element.focus();
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onClick(event);
    }
    if (event.key === 'Escape') onHover(undefined);
  };

  return (
    <figure className={`atlas-view atlas-view-${name}`}>
      <figcaption>{names.views[name]}</figcaption>
      <div className="atlas-canvas">
        {/* biome-ignore lint/a11y/useSemanticElements: no element but g groups within an SVG. */}
        <svg
          viewBox={`0 0 ${view.width} ${view.height}`}
          role="group"
          aria-label={names.views[name]}
          onClick={onClick}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
          onBlur={() => onHover(undefined)}
          onPointerOver={(event) => onHover(positionOf(event))}
          onPointerLeave={() => onHover(undefined)}
        >
          <AtlasGradients view={view} id={id} />
          {view.layers.map((layer) => {
            const fill = gradientOf(layer.finish, view, id);
            if (!('position' in layer)) {
              return <AtlasShape key={`${layer.finish} ${layer.path}`} shape={layer} fill={fill} />;
            }
            const { position } = layer;
            return (
              <AtlasArea
                key={position}
                area={layer}
                fill={fill}
                id={id}
                state={states.get(position)}
                names={names}
                isActive={position === active?.position}
                isPointed={position === hovered}
                isSelected={position === selected}
                readOnly={onSelect === undefined}
              />
            );
          })}
          <AtlasCounts areas={areas} states={states} />
          {view.labels.map(({ text, x, y }) => (
            <text key={text} className="atlas-label" x={x} y={y}>
              {names.labels[text]}
            </text>
          ))}
        </svg>
        {pointed && (
          <AtlasTooltip
            view={view}
            area={pointed}
            state={states.get(pointed.position)}
            names={names}
          />
        )}
      </div>
    </figure>
  );
}

function positionOf({ target }: SyntheticEvent): DamagePosition | undefined {
  const { position } = target instanceof SVGElement ? target.dataset : {};
  return position as DamagePosition | undefined;
}
