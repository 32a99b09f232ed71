import type { Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { CopyableId } from '../../values/copyable-id.tsx';
import { CarFromAbove } from './car-from-above.tsx';
import { SignalList, type SignalName } from './signal-list.tsx';
import { VehicleDuties } from './vehicle-duties.tsx';
import classes from './vehicle-page.module.css';

const groups: Record<'energy' | 'access' | 'service', readonly SignalName[]> = {
  energy: ['fuelLevel', 'reach', 'isPluggedIn', 'isCharging'],
  access: [
    'isLocked',
    'doorsClosed',
    'windowsClosed',
    'engineActive',
    'headlightsActive',
    'immobilizerActive',
  ],
  service: ['odometer', 'nextServiceDate', 'nextServiceDistance'],
};

/** The state of a vehicle, each value with its age. */
export function OverviewTab({ vehicle }: { vehicle: Vehicle }) {
  const { vehicle: texts } = useTexts();
  const fleet = useFleet();
  const { id } = vehicle.asset;
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('vehicle', 'signals', id),
    queryFn: ({ signal }) => fleet.telemetry.getStatus(id, { signal }),
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.panels}>
      <Panel title={texts.groups.now}>
        <CarFromAbove signals={data?.signals ?? {}} />
      </Panel>
      <VehicleDuties vehicle={vehicle} />
      {Object.entries(groups).map(([group, names]) => (
        <Panel key={group} title={texts.groups[group as keyof typeof groups]}>
          <SignalList names={names} signals={data?.signals} />
        </Panel>
      ))}
      <Panel title={texts.groups.registration}>
        <Registration vehicle={vehicle} />
      </Panel>
    </div>
  );
}

function Registration({ vehicle: { information } }: { vehicle: Vehicle }) {
  const { vehicleFields: fields } = useTexts();
  const formats = useFormats();
  const { vin, firstRegistrationDate, buildYear, seats } = information;
  const { evBatteryCapacity, iceTankCapacity } = information;
  const rows = [
    [fields['information.vin'], vin && <CopyableId key="vin" id={vin} />],
    [
      fields['information.firstRegistrationDate'],
      firstRegistrationDate && formats.date(firstRegistrationDate),
    ],
    [fields['information.buildYear'], buildYear],
    [fields['information.seats'], seats],
    [
      fields['information.evBatteryCapacity'],
      evBatteryCapacity !== undefined && formats.kilowattHours(evBatteryCapacity),
    ],
    [
      fields['information.iceTankCapacity'],
      iceTankCapacity !== undefined && formats.litres(iceTankCapacity),
    ],
  ] as const;
  return (
    <dl className={classes.signals}>
      {rows
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
