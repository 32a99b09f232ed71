import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { type NeedKind, needKinds } from './need-kinds.ts';

type OverviewSearch = { kind?: NeedKind };

export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: ({ kind }: Record<string, unknown>): OverviewSearch => {
    const known = needKinds.find((one) => one === kind);
    return known ? { kind: known } : {};
  },
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
});
