import type { Vehicle } from '@motorpool/client';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Texts } from '../../texts/texts.ts';

type VehicleTab = {
  /** Its name in the address and in the catalogues. */
  name: keyof Texts['vehicleTabs'];
  component: ComponentType<{ vehicle: Vehicle }>;
};

/** The tabs of a vehicle, in order; the first has the address of the vehicle itself. */
export const vehicleTabs: readonly [VehicleTab, ...VehicleTab[]] = [
  {
    name: 'overview',
    component: lazyRouteComponent(() => import('./overview-tab.tsx'), 'OverviewTab'),
  },
  { name: 'map', component: lazyRouteComponent(() => import('./map-tab.tsx'), 'MapTab') },
  {
    name: 'charging',
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
