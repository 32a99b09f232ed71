/** What a section shows, as its address has it. */
export type SettingsSearch = {
  page?: number;
  /** Words that are looked for. */
  q?: string;
  /** The record that is open. */
  open?: string;
  state?: string;
  actor?: string;
  record?: string;
  type?: string;
  action?: string;
  from?: string;
  to?: string;
};

const texts = ['q', 'open', 'state', 'actor', 'record', 'type', 'action', 'from', 'to'] as const;

/** Of what somebody may have typed into the address, what can be meant. */
export function parseSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const { page } = search;
  const given = texts.flatMap((name) => {
    const value = search[name];
    return (typeof value === 'string' || typeof value === 'number') && value !== ''
      ? [[name, String(value)]]
      : [];
  });
  return {
    ...Object.fromEntries(given),
    ...(Number.isInteger(page) && Number(page) > 0 && { page: Number(page) }),
  };
}
