import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';

export const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/$vehicleId/$incidentId',
  component: lazyRouteComponent(() => import('./incident-page.tsx'), 'IncidentPage'),
});

export const editIncidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/$vehicleId/$incidentId/edit',
  component: lazyRouteComponent(() => import('./edit-incident-page.tsx'), 'EditIncidentPage'),
});

export const newIncidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/new',
  validateSearch: ({ vehicle }: Record<string, unknown>): { vehicle?: string } =>
    typeof vehicle === 'string' ? { vehicle } : {},
  component: lazyRouteComponent(() => import('./new-incident-page.tsx'), 'NewIncidentPage'),
});
