import type { DamagePosition } from '@motorpool/client';
import type { AreaState } from './damage.ts';
import type { AtlasNames } from './names.ts';
import type { Area } from './view.ts';

type Props = {
  area: Area;
  fill: string | undefined;
  /** What the ids of the patterns begin with. */
  pattern: string;
  state: AreaState | undefined;
  names: AtlasNames;
  isActive: boolean;
  isSelected: boolean;
  onSelect: ((position: DamagePosition) => void) | undefined;
  onHover: (position: DamagePosition | undefined) => void;
  onFocus: (position: DamagePosition) => void;
  elements: Map<DamagePosition, SVGPathElement>;
};

export function AtlasArea(props: Props) {
  const { area, fill, pattern, state, names, isActive, isSelected, onSelect, elements } = props;
  const { position, path, finish } = area;
  const name = `${names.positions[position]}, ${names.damageCount(state?.damages.length ?? 0)}`;
  return (
    <>
      <path
        ref={(element) => {
          if (element === null) elements.delete(position);
          else elements.set(position, element);
        }}
        className={`atlas-area atlas-${finish}`}
        fill={fill}
        d={path}
        data-position={position}
        role={onSelect ? 'button' : 'img'}
        aria-label={name}
        aria-pressed={onSelect && isSelected}
        tabIndex={isActive ? 0 : -1}
        onClick={() => onSelect?.(position)}
        onPointerEnter={() => props.onHover(position)}
        onFocus={() => {
          props.onFocus(position);
          props.onHover(position);
        }}
        onBlur={() => props.onHover(undefined)}
      />
      {state && !state.hollow && (
        <path className="atlas-fill" fill={`url(#${pattern}-${state.severity})`} d={path} />
      )}
    </>
  );
}
