import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { DamagePosition, IncidentDamage } from '@motorpool/client';
import { useEffect, useState } from 'react';
import { DamageAtlas } from '../../damage-atlas/DamageAtlas.tsx';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { areasOf, type ViewName, viewNames } from '../../damage-atlas/view.ts';
import { views } from '../../damage-atlas/views.ts';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './incident-page.module.css';

type Props = {
  damages: readonly IncidentDamage[];
  selected?: DamagePosition | undefined;
  highlighted: DamagePosition | undefined;
  onHover(position: DamagePosition | undefined): void;
  /** Left out where a click does nothing. */
  onSelect?: ((position: DamagePosition) => void) | undefined;
};

const viewOf = (position: DamagePosition): ViewName | undefined =>
  viewNames.find((name) => areasOf(views[name]).some((area) => area.position === position));

/** The atlas; on a phone one view of it at a time. */
export function AtlasPanel({ damages, selected, highlighted, onHover, onSelect }: Props) {
  const { incident: texts } = useTexts();
  const names = useAtlasNames();
  const isPhone = useMediaQuery('(max-width: 640px)', undefined, {
    getInitialValueInEffect: false,
  });
  const [view, setView] = useState<ViewName>(
    () => (damages[0] && viewOf(damages[0].position)) ?? 'left',
  );
  useEffect(() => {
    const shown = selected && viewOf(selected);
    if (shown) setView(shown);
  }, [selected]);
  const countIn = (name: ViewName) =>
    damages.filter(({ position, repaired }) => !repaired && viewOf(position) === name).length;
  return (
    <div className={classes.atlas}>
      {isPhone && (
        <div className={classes.viewPicker}>
          <SegmentedControl
            size="xs"
            aria-label={texts.views}
            data={viewNames.map((value) => ({
              value,
              label: [names.views[value], countIn(value) || ''].join(' ').trim(),
            }))}
            value={view}
            onChange={(next) => setView(next as ViewName)}
          />
        </div>
      )}
      <DamageAtlas
        damages={damages.map(({ title, ...damage }) => ({ ...damage, label: title }))}
        names={names}
        selected={selected}
        highlighted={highlighted}
        onHover={onHover}
        {...(onSelect && { onSelect })}
        readOnly={onSelect === undefined}
        {...(isPhone && { shown: [view] })}
      />
    </div>
  );
}
