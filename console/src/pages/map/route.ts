import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.tsx';
import { parseTableSearch, type TableSearch } from '../../table/table-search.ts';
import { parsePlace } from './place.ts';

/** The search and the filters of the table of vehicles, and what of the map is shown. */
export type MapSearch = Pick<TableSearch, 'q' | 'filter'> & {
  /** Zoom, latitude and longitude of the middle: `11.5/52.51/13.39`. */
  at?: string;
  /** The id of the vehicle whose card is open. */
  vehicle?: string;
};

export const mapRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/map',
  validateSearch: (search: Record<string, unknown>): MapSearch => {
    const { q, filter } = parseTableSearch(search);
    const { at, vehicle } = search;
    return {
      ...(q && { q }),
      ...(filter && { filter }),
      ...(typeof at === 'string' && parsePlace(at) && { at }),
      ...(typeof vehicle === 'string' && vehicle !== '' && { vehicle }),
    };
  },
  component: lazyRouteComponent(() => import('./map-page.tsx'), 'MapPage'),
});
