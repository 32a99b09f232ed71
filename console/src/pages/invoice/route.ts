import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';

export const invoiceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices/$invoiceId',
  component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
});
