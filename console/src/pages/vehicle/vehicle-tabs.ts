import type { Vehicle } from '@motorpool/client';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Texts } from '../../texts/texts.ts';

type VehicleTab = {
  /** Its name in the address and in the catalogues. */
  name: keyof Texts['vehicleTabs'];
  component: ComponentType<{ vehicle: Vehicle }>;
  /** Whether a vehicle has it; every vehicle does when left out. */
  isFor?(vehicle: Vehicle): boolean;
};

/** The tabs of a vehicle, in order; the first has the address of the vehicle itself. */
const vehicleTabs: readonly [VehicleTab, ...VehicleTab[]] = [
  {
    name: 'overview',
    component: lazyRouteComponent(() => import('./overview-tab.tsx'), 'OverviewTab'),
  },
  { name: 'map', component: lazyRouteComponent(() => import('./map-tab.tsx'), 'MapTab') },
  {
    name: 'charging',
    isFor: mayCharge,
    component: lazyRouteComponent(() => import('./charging-tab.tsx'), 'ChargingTab'),
  },
  {
    name: 'maintenance',
    component: lazyRouteComponent(() => import('./maintenance-tab.tsx'), 'MaintenanceTab'),
  },
  {
    name: 'logbook',
    component: lazyRouteComponent(() => import('./logbook-tab.tsx'), 'LogbookTab'),
  },
  {
    name: 'checklist',
    component: lazyRouteComponent(() => import('./checklist-tab.tsx'), 'ChecklistTab'),
  },
  {
    name: 'incidents',
    component: lazyRouteComponent(() => import('./incidents-tab.tsx'), 'IncidentsTab'),
  },
  {
    name: 'invoices',
    component: lazyRouteComponent(() => import('./invoices-tab.tsx'), 'InvoicesTab'),
  },
  {
    name: 'drivers',
    component: lazyRouteComponent(() => import('./drivers-tab.tsx'), 'DriversTab'),
  },
];

export const firstTab = vehicleTabs[0].name;

/** Not one that is known to have a tank alone. */
function mayCharge({ information, status }: Vehicle): boolean {
  const { evBatteryCapacity, iceTankCapacity } = information;
  const hasTankAlone = iceTankCapacity !== undefined && evBatteryCapacity === undefined;
  return !hasTankAlone || status.isPluggedIn === true || status.isCharging === true;
}

export const tabsOf = (vehicle: Vehicle): readonly VehicleTab[] =>
  vehicleTabs.filter(({ isFor }) => isFor?.(vehicle) ?? true);
