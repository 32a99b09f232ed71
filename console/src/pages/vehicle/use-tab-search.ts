import { useSearch } from '@tanstack/react-router';

/** What the address says beside the tab; each tab takes what it knows. */
export const useTabSearch = (): Record<string, unknown> => useSearch({ strict: false });
