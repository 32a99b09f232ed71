import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';

/** What events can be filtered by, whichever types there are. */
export function loggedEvents(types: readonly string[]): Searchable {
  return {
    fields: fieldsOf({
      type: ['text', 'e.type', { values: types }],
      vehicleid: ['text', 'e.vehicle_id'],
      time: ['date-time', 'e.occurred_at'],
      id: ['uuid', 'e.event_id'],
    }),
    columns: 'e.number',
    from: 'scanned e',
    id: 'e.number',
  };
}
