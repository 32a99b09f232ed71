import { memo } from 'react';
import type { AreaState } from './damage.ts';
import type { AtlasNames } from './names.ts';
import type { Area } from './view.ts';

type Props = {
  area: Area;
  fill: string | undefined;
  /** What the ids of the atlas begin with. */
  id: string;
  state: AreaState | undefined;
  names: AtlasNames;
  isActive: boolean;
  isPointed: boolean;
  isSelected: boolean;
  readOnly: boolean;
};

/** An area in its place among the layers, so that what lies over it also hides its outlines. */
export const AtlasArea = memo(function AtlasArea(props: Props) {
  const { area, fill, id, state, names, isActive, isPointed, isSelected, readOnly } = props;
  const { position, path, finish } = area;
  const outlines = [
    state && `atlas-edge atlas-severity-${state.severity}${state.hollow ? ' atlas-hollow' : ''}`,
    isPointed && 'atlas-pointed',
    isSelected && 'atlas-selected',
    isActive && 'atlas-focus-halo',
    isActive && 'atlas-focus',
  ].filter((one) => typeof one === 'string');
  const clip = `${id}-${position}`;
  return (
    <g>
      <path
        className={`atlas-area atlas-${finish}`}
        fill={fill}
        d={path}
        data-position={position}
        {...(readOnly ? { role: 'img' } : { role: 'button', 'aria-pressed': isSelected })}
        aria-label={`${names.positions[position]}, ${names.damageCount(state?.damages.length ?? 0)}`}
        tabIndex={isActive ? 0 : -1}
      />
      {state && !state.hollow && <path fill={`url(#${id}-${state.severity})`} d={path} />}
      {outlines.length > 0 && (
        <clipPath id={clip}>
          <path d={path} />
        </clipPath>
      )}
      {outlines.map((one) => (
        <path key={one} className={one} d={path} clipPath={`url(#${clip})`} />
      ))}
    </g>
  );
});
