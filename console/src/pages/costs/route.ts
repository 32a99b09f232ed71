import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { parseCostsSearch } from './costs-search.ts';

export const costsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices/costs',
  validateSearch: parseCostsSearch,
  component: lazyRouteComponent(() => import('./costs-page.tsx'), 'CostsPage'),
});
