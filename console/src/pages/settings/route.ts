import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { parseSettingsSearch } from './settings-search.ts';

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$section', params: { section: 'profile' }, replace: true });
  },
});

export const settingsSectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/$section',
  validateSearch: parseSettingsSearch,
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});
