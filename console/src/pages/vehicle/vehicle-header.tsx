import type { Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useObjectUrl } from '../../files/use-object-url.ts';
import { queryKey } from '../../fleet/queries.ts';
import { Icon } from '../../icons/icon.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { Level } from '../../values/level.tsx';
import { modelOf } from '../../values/vehicle-names.ts';
import classes from './vehicle-page.module.css';

/** Picture, level, distance and when it was last heard of. */
export function VehicleHeader({ vehicle }: { vehicle: Vehicle }) {
  const { vehicle: texts, vehicleFields: fields } = useTexts();
  const formats = useFormats();
  const { status } = vehicle;
  return (
    <section className={classes.header} aria-label={texts.summary}>
      <Picture vehicle={vehicle} />
      <Fact label={texts.model} value={modelOf(vehicle)} />
      {status.fuelLevel !== undefined && (
        <Fact
          label={fields['status.fuelLevel']}
          value={<Level percent={status.fuelLevel} isCharging={status.isCharging} wide />}
        />
      )}
      {status.reach !== undefined && (
        <Fact label={fields['status.reach']} value={formats.kilometres(status.reach)} />
      )}
      {status.odometer !== undefined && (
        <Fact label={fields['status.odometer']} value={formats.kilometres(status.odometer)} />
      )}
      <Fact label={fields['status.lastUpdated']} value={<Age at={status.lastUpdated} />} />
    </section>
  );
}

function Fact({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className={classes.fact}>
      <span>{label}</span>
      <strong>{value}</strong>
    </div>
  );
}

/** The picture that was uploaded, which needs a token, else the drawing of its kind. */
function Picture({ vehicle }: { vehicle: Vehicle }) {
  const { vehicle: texts } = useTexts();
  const fleet = useFleet();
  const { id, blobUuid, defaultImage } = vehicle.asset;
  const { data: image } = useQuery({
    queryKey: queryKey('vehicle', 'image', id, blobUuid),
    queryFn: async ({ signal }) =>
      (await fleet.vehicles.getImage(id, { width: 320, signal })).blob(),
    enabled: blobUuid !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    throwOnError: false,
  });
  const uploaded = useObjectUrl(image);
  const [isBroken, setIsBroken] = useState(false);
  // One of another site would tell that site who looks at what; the policy refuses it.
  const source = uploaded ?? (defaultImage?.startsWith('/') ? defaultImage : undefined);
  return (
    <div className={classes.picture}>
      {source && !isBroken ? (
        <img src={source} alt={texts.picture(modelOf(vehicle))} onError={() => setIsBroken(true)} />
      ) : (
        <Icon name="car" size={40} />
      )}
    </div>
  );
}
