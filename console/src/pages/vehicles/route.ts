import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { parseTableSearch } from '../../table/table-search.ts';

export const vehiclesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vehicles',
  validateSearch: parseTableSearch,
  component: lazyRouteComponent(() => import('./vehicles-page.tsx'), 'VehiclesPage'),
});
