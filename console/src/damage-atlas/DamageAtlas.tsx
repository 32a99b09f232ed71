import type { DamagePosition } from '@motorpool/client';
import { useId, useMemo, useState } from 'react';
import { AtlasLegend } from './atlas-legend.tsx';
import { AtlasPatterns } from './atlas-patterns.tsx';
import { AtlasView } from './atlas-view.tsx';
import './damage-atlas.css';
import './drawing.css';
import { type AtlasDamage, areaStates } from './damage.ts';
import type { AtlasNames } from './names.ts';
import { type ViewName, viewNames } from './view.ts';

type Props = {
  damages: readonly AtlasDamage[];
  names: AtlasNames;
  selected?: DamagePosition | undefined;
  /** Shown as if it were pointed at: by a list beside the atlas, say. */
  highlighted?: DamagePosition | undefined;
  onSelect?: (position: DamagePosition) => void;
  /** Hears of the area that is pointed at or focused, and of nothing when it is left. */
  onHover?: (position: DamagePosition | undefined) => void;
  readOnly?: boolean;
  /** Those to show, where there is room for some only. */
  shown?: readonly ViewName[];
};

/** A vehicle from all sides, on which every damage position is an area. */
export function DamageAtlas({
  damages,
  names,
  selected,
  highlighted,
  onSelect,
  onHover,
  readOnly = false,
  shown = viewNames,
}: Props) {
  const id = useId();
  const states = useMemo(() => areaStates(damages), [damages]);
  const [hovered, setHovered] = useState<DamagePosition>();
  const hover = (position: DamagePosition | undefined) => {
    setHovered(position);
    onHover?.(position);
  };
  return (
    <section className="damage-atlas" aria-label={names.title}>
      <AtlasPatterns id={id} />
      <div className={shown.length < viewNames.length ? 'atlas-some' : 'atlas-views'}>
        {shown.map((name) => (
          <AtlasView
            key={name}
            name={name}
            id={id}
            names={names}
            states={states}
            selected={selected}
            hovered={hovered ?? highlighted}
            onSelect={readOnly ? undefined : onSelect}
            onHover={hover}
          />
        ))}
      </div>
      <AtlasLegend id={id} names={names} />
    </section>
  );
}
