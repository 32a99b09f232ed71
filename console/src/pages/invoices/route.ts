import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { parseInvoicesSearch } from './invoices-search.ts';

export const invoicesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices',
  validateSearch: parseInvoicesSearch,
  component: lazyRouteComponent(() => import('./invoices-page.tsx'), 'InvoicesPage'),
});
