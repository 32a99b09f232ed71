import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { parseMaintenanceSearch } from './maintenance-search.ts';

export const maintenanceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/maintenance',
  validateSearch: parseMaintenanceSearch,
  component: lazyRouteComponent(() => import('./maintenance-page.tsx'), 'MaintenancePage'),
});
