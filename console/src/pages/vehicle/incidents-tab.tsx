import type { DamagePosition, Incident, Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { AtlasPanel } from '../incident/atlas-panel.tsx';
import { DamageCount } from '../incident/damage-count.tsx';
import { IncidentState } from '../incident/incident-state.tsx';
import { shownKind } from '../incident/kind-names.ts';
import { ReportButton } from '../incident/report-button.tsx';
import { openDamages, Severity, worstOf } from '../incident/severity.tsx';
import classes from './incidents-tab.module.css';

const maxShown = 100;

/** The incidents of a vehicle, and all that is damaged on one drawing. */
export function IncidentsTab({ vehicle }: { vehicle: Vehicle }) {
  const { incident: texts, pages } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { id: vehicleId } = vehicle.asset;
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('incident', 'vehicle', vehicleId),
    queryFn: ({ signal }) =>
      fleet.incidents
        .find(
          vehicleId,
          {
            sorting: [
              { field: 'isResolved' },
              { field: 'vehicleOperable' },
              { field: 'reportTimestamp', direction: 'desc' },
            ],
            pagination: { pageSize: maxShown },
          },
          { signal },
        )
        .page(),
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Delayed>
        <Bone width="40%" />
      </Delayed>
    );
  const { items, pagination } = data;
  if (items.length === 0)
    return (
      <EmptyState icon="circle-check" {...texts.ofVehicle.none}>
        <ReportButton vehicleId={vehicleId} />
      </EmptyState>
    );
  const total = pagination.totalEntries;
  return (
    <div className={classes.parts}>
      <OpenDamages vehicleId={vehicleId} incidents={items} />
      <Panel title={pages.incidents} count={total} actions={<ReportButton vehicleId={vehicleId} />}>
        <ul className={classes.incidents}>
          {items.map((incident) => (
            <IncidentItem key={incident.id} vehicleId={vehicleId} incident={incident} />
          ))}
        </ul>
        {total > items.length && (
          <p className={classes.hint}>
            {texts.ofVehicle.shownOf(formats.number(items.length), formats.number(total))}
            <AnchorLink to="/incidents" search={{ filter: [`vehicleId:eq:${vehicleId}`] }}>
              {texts.ofVehicle.all}
            </AnchorLink>
          </p>
        )}
      </Panel>
    </div>
  );
}

type ItemProps = { vehicleId: string; incident: Incident };

function IncidentItem({ vehicleId, incident }: ItemProps) {
  const { id, title, damages, reportTimestamp } = incident;
  const worst = worstOf(damages);
  return (
    <li>
      <Link
        to="/incidents/$vehicleId/$incidentId"
        params={{ vehicleId, incidentId: id }}
        className={classes.incident}
      >
        <strong>{title}</strong>
        <IncidentState incident={incident} />
        <span className={classes.severity}>{worst && <Severity level={worst} />}</span>
        <span className={classes.count}>
          <DamageCount damages={damages} />
        </span>
        <span className={classes.age}>
          <Age at={reportTimestamp} />
        </span>
      </Link>
    </li>
  );
}

/** What is not repaired, of all incidents. */
function OpenDamages({ vehicleId, incidents }: { vehicleId: string; incidents: Incident[] }) {
  const { incident: texts, damageKinds } = useTexts();
  const { positions } = useAtlasNames();
  const navigate = useNavigate();
  const [pointed, setPointed] = useState<DamagePosition>();
  const [highlighted, setHighlighted] = useState<DamagePosition>();
  const open = incidents.flatMap((incident) =>
    openDamages(incident.damages).map((damage, index) => ({
      damage,
      incident,
      key: `${incident.id}-${index}`,
    })),
  );
  const openIncident = (position: DamagePosition) => {
    const { incident } = open.find(({ damage }) => damage.position === position) ?? {};
    if (incident)
      void navigate({
        to: '/incidents/$vehicleId/$incidentId',
        params: { vehicleId, incidentId: incident.id },
      });
  };
  return (
    <Panel title={texts.ofVehicle.open} count={open.length}>
      <div className={classes.atlas}>
        <AtlasPanel
          damages={open.map(({ damage }) => damage)}
          highlighted={highlighted}
          onHover={setPointed}
          onSelect={openIncident}
        />
        <div>
          {open.length === 0 ? (
            <p className={classes.hint}>{texts.ofVehicle.noneOpen}</p>
          ) : (
            <p className={classes.hint}>{texts.ofVehicle.openHint}</p>
          )}
          <ul className={classes.damages}>
            {open.map(({ key, damage, incident }) => (
              <li key={key} data-pointed={damage.position === pointed || undefined}>
                <Link
                  to="/incidents/$vehicleId/$incidentId"
                  params={{ vehicleId, incidentId: incident.id }}
                  className={classes.damage}
                  onPointerEnter={() => setHighlighted(damage.position)}
                  onPointerLeave={() => setHighlighted(undefined)}
                  onFocus={() => setHighlighted(damage.position)}
                  onBlur={() => setHighlighted(undefined)}
                >
                  <strong>{positions[damage.position]}</strong>
                  <Severity level={damage.severity} />
                  <span>{incident.title}</span>
                  <span>{shownKind(damage.damageType, damageKinds)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Panel>
  );
}
