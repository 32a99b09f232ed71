import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';

export const vehicleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vehicles/$vehicleId',
  component: lazyRouteComponent(() => import('./vehicle-page.tsx'), 'VehiclePage'),
});

/** A tab of the page, which draws it; what else the address says is the tab's own. */
export const vehicleTabRoute = createRoute({
  getParentRoute: () => vehicleRoute,
  path: '/$tab',
  validateSearch: (search: Record<string, unknown>) => search,
});

export const newVehicleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vehicles/new',
  component: lazyRouteComponent(() => import('./form/new-vehicle-page.tsx'), 'NewVehiclePage'),
});

export const editVehicleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vehicles/$vehicleId/edit',
  component: lazyRouteComponent(() => import('./form/edit-vehicle-page.tsx'), 'EditVehiclePage'),
});
