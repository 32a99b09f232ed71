import type { Vehicle } from '@motorpool/client';
import { Link } from '@tanstack/react-router';
import classes from '../../table/compact-row.module.css';
import { Age } from '../../values/age.tsx';
import { Level } from '../../values/level.tsx';
import { modelOf, plateOf } from '../../values/vehicle-names.ts';
import { VehicleState } from '../../values/vehicle-state.tsx';

/** A vehicle in two lines. */
export function VehicleRow({ vehicle }: { vehicle: Vehicle }) {
  const { fuelLevel, isCharging, lastUpdated } = vehicle.status;
  return (
    <Link
      to="/vehicles/$vehicleId"
      params={{ vehicleId: vehicle.asset.id }}
      className={classes.row}
      data-row
    >
      <strong>{plateOf(vehicle)}</strong>
      <VehicleState vehicle={vehicle} />
      <span className={classes.second}>{modelOf(vehicle)}</span>
      <span className={classes.aside}>
        {fuelLevel === undefined ? (
          <Age at={lastUpdated} />
        ) : (
          <Level percent={fuelLevel} isCharging={isCharging} />
        )}
      </span>
    </Link>
  );
}
