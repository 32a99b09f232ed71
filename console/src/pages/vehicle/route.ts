import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';

export const vehicleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vehicles/$vehicleId',
  component: lazyRouteComponent(() => import('./vehicle-page.tsx'), 'VehiclePage'),
});
