import { useNavigate } from '@tanstack/react-router';
import { settingsSectionRoute } from './route.ts';
import type { SettingsSearch } from './settings-search.ts';

/** What the address of the section says, and how to change it; a change goes to the first page. */
export function useSettingsSearch() {
  const search = settingsSectionRoute.useSearch();
  const { section } = settingsSectionRoute.useParams();
  const navigate = useNavigate();
  const change = (next: SettingsSearch, options: { keepsHistory?: boolean } = {}) =>
    void navigate({
      to: '/settings/$section',
      params: { section },
      search: (current: SettingsSearch) => {
        const changed = { ...current, page: undefined, ...next };
        return Object.fromEntries(
          Object.entries(changed).filter(([, value]) => value !== undefined && value !== ''),
        );
      },
      replace: !options.keepsHistory,
    });
  return { search, change };
}
