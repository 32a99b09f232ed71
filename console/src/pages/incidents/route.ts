import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { parseTableSearch } from '../../table/table-search.ts';

export const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents',
  validateSearch: parseTableSearch,
  component: lazyRouteComponent(() => import('./incidents-page.tsx'), 'IncidentsPage'),
});
