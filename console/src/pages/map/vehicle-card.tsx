import { CloseButton } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { Icon } from '../../icons/icon.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { ButtonLink } from '../../layout/button-link.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { Level } from '../../values/level.tsx';
import { modelOf, plateOf } from '../../values/vehicle-names.ts';
import { VehicleState } from '../../values/vehicle-state.tsx';
import classes from './map-page.module.css';

/** What one wants to know of a vehicle on the map, and the ways on. */
export function VehicleCard({ vehicle, onClose }: { vehicle: Vehicle; onClose(): void }) {
  const { map: texts, vehicleFields: fields } = useTexts();
  const { fuelLevel, isCharging, lastUpdated } = vehicle.status;
  const params = { vehicleId: vehicle.asset.id };
  return (
    <section className={classes.card} aria-label={texts.card(plateOf(vehicle))}>
      <header>
        <AnchorLink to="/vehicles/$vehicleId" params={params} fw={600}>
          {plateOf(vehicle)}
        </AnchorLink>
        <VehicleState vehicle={vehicle} />
        <CloseButton size="sm" aria-label={texts.close} onClick={onClose} />
      </header>
      <p className={classes.model}>{modelOf(vehicle)}</p>
      <dl>
        {fuelLevel !== undefined && (
          <div>
            <dt>{fields['status.fuelLevel']}</dt>
            <dd>
              <Level percent={fuelLevel} isCharging={isCharging} />
            </dd>
          </div>
        )}
        <div>
          <dt>{fields['status.lastUpdated']}</dt>
          <dd>
            <Age at={lastUpdated} />
          </dd>
        </div>
      </dl>
      <footer>
        <ButtonLink to="/vehicles/$vehicleId" params={params} variant="default" px="sm">
          {texts.open}
        </ButtonLink>
        <ButtonLink
          to="/vehicles/$vehicleId/$tab"
          params={{ ...params, tab: 'map' }}
          variant="subtle"
          px="xs"
          leftSection={<Icon name="route" size={16} />}
        >
          {texts.track}
        </ButtonLink>
      </footer>
    </section>
  );
}
