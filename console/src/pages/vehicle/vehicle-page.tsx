import { Breadcrumbs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { CopyableId } from '../../values/copyable-id.tsx';
import { plateOf } from '../../values/vehicle-names.ts';
import { VehicleState } from '../../values/vehicle-state.tsx';
import { EditVehicleLink } from './form/form-links.tsx';
import { vehicleRoute } from './route.ts';
import { ServiceButton } from './service-button.tsx';
import { TabBar } from './tab-bar.tsx';
import { VehicleHeader } from './vehicle-header.tsx';
import classes from './vehicle-page.module.css';
import { firstTab, tabsOf } from './vehicle-tabs.ts';

export function VehiclePage() {
  const { pages } = useTexts();
  const fleet = useFleet();
  const { vehicleId } = vehicleRoute.useParams();
  const { tab = firstTab } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('vehicle', 'one', vehicleId),
    queryFn: ({ signal }) => fleet.vehicles.get(vehicleId, { signal }),
  });
  const Tab = data && tabsOf(data).find(({ name }) => name === tab)?.component;
  return (
    <>
      <Breadcrumbs className={classes.crumbs} separatorMargin={6}>
        <AnchorLink to="/vehicles" size="xs">
          {pages.vehicles}
        </AnchorLink>
        <CopyableId id={vehicleId} />
      </Breadcrumbs>
      <Page
        title={data ? plateOf(data) : vehicleId}
        aside={data && <VehicleState vehicle={data} />}
        actions={
          data && (
            <>
              <EditVehicleLink vehicleId={vehicleId} />
              <ServiceButton vehicle={data} />
            </>
          )
        }
      >
        {error && !data ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <>
            <VehicleHeader vehicle={data} />
            <TabBar vehicle={data} current={tab} />
            <Suspense
              fallback={
                <Delayed>
                  <Bone width="40%" />
                </Delayed>
              }
            >
              {Tab ? <Tab key={vehicleId} vehicle={data} /> : <NotFound />}
            </Suspense>
          </>
        ) : (
          <Delayed>
            <Bone width="40%" />
          </Delayed>
        )}
      </Page>
    </>
  );
}
