import { createRouter } from '@tanstack/react-router';
import { rootRoute } from './frame/root-route.tsx';
import { costsRoute } from './pages/costs/route.ts';
import { editIncidentRoute, incidentRoute, newIncidentRoute } from './pages/incident/route.ts';
import { incidentsRoute } from './pages/incidents/route.ts';
import { invoiceRoute } from './pages/invoice/route.ts';
import { invoicesRoute } from './pages/invoices/route.ts';
import { maintenanceRoute } from './pages/maintenance/route.ts';
import { mapRoute } from './pages/map/route.ts';
import { overviewRoute } from './pages/overview/route.ts';
import { settingsRoute, settingsSectionRoute } from './pages/settings/route.ts';
import {
  editVehicleRoute,
  newVehicleRoute,
  vehicleRoute,
  vehicleTabRoute,
} from './pages/vehicle/route.ts';
import { vehiclesRoute } from './pages/vehicles/route.ts';

/** Every page, below the address of the provider. */
const routeTree = rootRoute.addChildren([
  overviewRoute,
  mapRoute,
  vehiclesRoute,
  incidentsRoute,
  incidentRoute,
  editIncidentRoute,
  newIncidentRoute,
  maintenanceRoute,
  invoicesRoute,
  invoiceRoute,
  costsRoute,
  vehicleRoute.addChildren([vehicleTabRoute]),
  editVehicleRoute,
  newVehicleRoute,
  settingsRoute,
  settingsSectionRoute,
]);

export function createConsoleRouter(provider: string) {
  return createRouter({
    routeTree,
    basepath: `/console/${provider}`,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
