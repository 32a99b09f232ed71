import type { FleetIncident } from '@motorpool/client';
import { useMemo } from 'react';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import type { Column } from '../../table/data-table.tsx';
import { useLocalization } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { DamageCount } from '../incident/damage-count.tsx';
import { IncidentState, stateOf } from '../incident/incident-state.tsx';
import { shownKind } from '../incident/kind-names.ts';
import { Severity, worstOf } from '../incident/severity.tsx';

export const usualColumns = [
  'title',
  'plate',
  'state',
  'severity',
  'damages',
  'happened',
  'reported',
];

export function useIncidentColumns(): Column<FleetIncident>[] {
  const { texts, formats } = useLocalization();
  return useMemo(() => {
    const { incidentFields: fields, incidents, incidentKinds } = texts;
    const kindOf = ({ incidentType }: FleetIncident) =>
      incidentType && shownKind(incidentType, incidentKinds);
    return [
      {
        id: 'title',
        header: incidents.incident,
        width: 260,
        grows: true,
        sortField: 'title',
        cell: ({ id, vehicleId, title }) => (
          <AnchorLink
            to="/incidents/$vehicleId/$incidentId"
            params={{ vehicleId, incidentId: id }}
            data-row
            fw={500}
          >
            {title}
          </AnchorLink>
        ),
        csv: ({ title }) => title,
      },
      {
        id: 'plate',
        header: fields.licensePlate,
        width: 140,
        sortField: 'licensePlate',
        cell: ({ vehicleId, licensePlate }) => (
          <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }}>
            {licensePlate ?? vehicleId}
          </AnchorLink>
        ),
        csv: ({ vehicleId, licensePlate }) => licensePlate ?? vehicleId,
      },
      {
        id: 'state',
        header: incidents.state,
        width: 160,
        sortField: 'isResolved',
        cell: (incident) => <IncidentState incident={incident} />,
        csv: (incident) => texts.incidentStates[stateOf(incident)],
      },
      {
        id: 'severity',
        header: incidents.severity,
        width: 130,
        cell: ({ damages }) => {
          const worst = worstOf(damages);
          return worst && <Severity level={worst} />;
        },
        csv: ({ damages }) => {
          const worst = worstOf(damages);
          return worst && texts.severities[worst];
        },
      },
      {
        id: 'damages',
        header: incidents.damages,
        width: 120,
        isNumeric: true,
        cell: ({ damages }) => <DamageCount damages={damages} />,
        csv: ({ damages = [] }) => damages.length,
      },
      {
        id: 'happened',
        header: fields.incidentTimestamp,
        width: 130,
        sortField: 'incidentTimestamp',
        cell: ({ incidentTimestamp }) => incidentTimestamp && formats.day(incidentTimestamp),
        csv: ({ incidentTimestamp }) => incidentTimestamp,
      },
      {
        id: 'reported',
        header: fields.reportTimestamp,
        width: 140,
        sortField: 'reportTimestamp',
        cell: ({ reportTimestamp }) => <Age at={reportTimestamp} />,
        csv: ({ reportTimestamp }) => reportTimestamp,
      },
      {
        id: 'kind',
        header: fields.incidentType,
        width: 140,
        sortField: 'incidentType',
        cell: kindOf,
        csv: kindOf,
      },
      {
        id: 'place',
        header: fields.location,
        width: 220,
        sortField: 'location',
        cell: ({ location }) => location,
        csv: ({ location }) => location,
      },
      {
        id: 'files',
        header: incidents.files,
        width: 90,
        isNumeric: true,
        cell: ({ blobs = [] }) => blobs.length > 0 && formats.number(blobs.length),
        csv: ({ blobs = [] }) => blobs.length,
      },
      {
        id: 'documents',
        header: fields.ocrStatus,
        width: 130,
        sortField: 'ocrStatus',
        cell: ({ ocrStatus }) => texts.ocrStates[ocrStatus],
        csv: ({ ocrStatus }) => texts.ocrStates[ocrStatus],
      },
      {
        id: 'vehicleId',
        header: fields.vehicleId,
        width: 170,
        sortField: 'vehicleId',
        cell: ({ vehicleId }) => vehicleId,
        csv: ({ vehicleId }) => vehicleId,
      },
    ];
  }, [texts, formats]);
}
