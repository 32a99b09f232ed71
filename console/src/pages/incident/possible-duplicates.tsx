import type { ReadIncident } from '@motorpool/client';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { Icon } from '../../icons/icon.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './incident-page.module.css';

type Props = { vehicleId: string; incident: ReadIncident };

/** Damages that were perhaps reported before. */
export function PossibleDuplicates({ vehicleId, incident }: Props) {
  const { incident: texts } = useTexts();
  const { positions } = useAtlasNames();
  const others = Map.groupBy(incident.possibleDuplicateOf ?? [], (one) => one.incidentId);
  if (others.size === 0) return null;
  return (
    <div className={classes.notice} role="note">
      <Icon name="copy" size={16} />
      <span>{texts.perhapsReported}</span>
      {[...others].map(([incidentId, damages]) => (
        <AnchorLink
          key={incidentId}
          to="/incidents/$vehicleId/$incidentId"
          params={{ vehicleId, incidentId }}
        >
          {[...new Set(damages.map(({ position }) => positions[position]))].join(' · ')}
        </AnchorLink>
      ))}
    </div>
  );
}
