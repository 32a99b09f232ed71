import type { DamagePosition } from '@motorpool/client';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { AtlasArea } from './AtlasArea.tsx';
import { AtlasCounts } from './AtlasCounts.tsx';
import { AtlasTooltip } from './AtlasTooltip.tsx';
import type { AreaState } from './damage.ts';
import type { AtlasNames } from './names.ts';
import { isDirection, nearestArea } from './nearest-area.ts';
import { placedAreas } from './placed-areas.ts';
import type { Finish, ViewName } from './view.ts';
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
export function AtlasView({
  name,
  id,
  names,
  states,
  selected,
  hovered,
  onSelect,
  onHover,
}: Props) {
  const view = views[name];
  const areas = useMemo(() => placedAreas(view), [view]);
  const drawing = useRef<SVGSVGElement>(null);
  const [moved, setMoved] = useState<DamagePosition>();
  const of = (position: DamagePosition | undefined) =>
    areas.find((area) => area.position === position);
  const active = of(moved) ?? of(selected) ?? areas[0];
  const pointed = of(hovered);

  const onKeyDown = (event: KeyboardEvent) => {
    if (active === undefined) return;
    if (isDirection(event.key)) {
      event.preventDefault();
      const next = nearestArea(areas, active, event.key);
      const element = drawing.current?.querySelector(`[data-position=${next?.position}]`);
      if (element instanceof SVGElement) element.focus();
    }
    if ((event.key === 'Enter' || event.key === ' ') && onSelect !== undefined) {
      event.preventDefault();
      onSelect(active.position);
    }
    if (event.key === 'Escape') onHover(undefined);
  };

  return (
    <figure className={`atlas-view atlas-view-${name}`}>
      <figcaption>{names.views[name]}</figcaption>
      <div className="atlas-canvas">
        {/* biome-ignore lint/a11y/useSemanticElements: no element but g groups within an SVG. */}
        <svg
          ref={drawing}
          viewBox={`0 0 ${view.width} ${view.height}`}
          role="group"
          aria-label={names.views[name]}
          onKeyDown={onKeyDown}
          onPointerLeave={() => onHover(undefined)}
        >
          <defs>
            {gradients.map((gradient) => (
              <linearGradient
                key={gradient}
                id={`${id}-${name}-${gradient}`}
                gradientUnits="userSpaceOnUse"
                x1={0}
                x2={0}
                y1={0}
                y2={view.height}
              >
                <stop offset="0.05" className={`atlas-${gradient}-light`} />
                <stop offset="0.95" className={`atlas-${gradient}-deep`} />
              </linearGradient>
            ))}
          </defs>
          {view.layers.map((layer, index) => {
            const fill = fillOf(layer.finish, `${id}-${name}`);
            return 'position' in layer ? (
              <AtlasArea
                key={layer.position}
                area={layer}
                fill={fill}
                id={id}
                state={states.get(layer.position)}
                names={names}
                isActive={layer.position === active?.position}
                isPointed={layer.position === hovered}
                isSelected={layer.position === selected}
                onSelect={onSelect}
                onHover={onHover}
                onFocus={setMoved}
              />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes.
              <path key={index} className={`atlas-${layer.finish}`} fill={fill} d={layer.path} />
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

const gradients = ['paint', 'body', 'glass', 'upholstery'] as const;

function fillOf(finish: Finish, id: string): string | undefined {
  const gradient = finish === 'pane' ? 'glass' : gradients.find((one) => one === finish);
  return gradient && `url(#${id}-${gradient})`;
}
