import type { Incident } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { CopyableId } from '../../values/copyable-id.tsx';
import { modelOf, plateOf } from '../../values/vehicle-names.ts';
import classes from './incident-page.module.css';
import { shownKind } from './kind-names.ts';

type Props = { vehicleId: string; incident: Incident };

/** Which vehicle, when, where and what kind. */
export function IncidentSummary({ vehicleId, incident }: Props) {
  const { incident: texts, incidentFields: fields, incidentKinds } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { data: vehicle } = useQuery({
    queryKey: queryKey('vehicle', 'one', vehicleId),
    queryFn: ({ signal }) => fleet.vehicles.get(vehicleId, { signal }),
  });
  const { incidentTimestamp, location, incidentType, reportTimestamp, customer } = incident;
  return (
    <section className={classes.summary} aria-label={texts.summary}>
      <Fact label={texts.vehicle}>
        <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }} fw={600}>
          {vehicle ? plateOf(vehicle) : vehicleId}
        </AnchorLink>
        {vehicle && <span className={classes.dimmed}>{modelOf(vehicle)}</span>}
      </Fact>
      <Fact label={fields.incidentTimestamp}>
        {incidentTimestamp ? formats.time(incidentTimestamp) : texts.empty}
      </Fact>
      <Fact label={fields.location}>{location ?? texts.empty}</Fact>
      <Fact label={fields.incidentType}>
        {incidentType ? shownKind(incidentType, incidentKinds) : texts.empty}
      </Fact>
      <Fact label={fields.reportTimestamp}>
        <Age at={reportTimestamp} />
      </Fact>
      {customer && (
        <Fact label={texts.customer}>
          <CopyableId id={customer.customerId} label={`${customer.customerId.slice(0, 8)}…`} />
        </Fact>
      )}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <span>{label}</span>
      <div>{children}</div>
    </div>
  );
}
