import type { Database } from '../../platform/db/database.ts';
import type { ReadBudget } from '../../platform/db/read-budget.ts';
import type { LoggedEvent } from '../../platform/event-log/read-log.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { RecordEvents } from '../record-events.ts';
import type { CloudEvent } from './cloud-event.ts';
import { eventRenderer } from './render-events.ts';

/** The events of these numbers that are still kept, within a budget. */
export type RenderEvents = (
  db: Database,
  provider: string,
  numbers: readonly number[],
  budget?: ReadBudget,
) => Promise<CloudEvent[]>;

export function numberedEvents(records: readonly RecordEvents[]): RenderEvents {
  const { readRows, render } = eventRenderer(records);
  return async (db, id, numbers, budget) => {
    const provider = providerOf(id);
    const events = await db.transaction(async (tx) => {
      const logged = await tx.query<LoggedEvent>(selectNumbered, [id, numbers]);
      return readRows(tx, provider, logged, budget);
    }, 'read only');
    return events.map((event) => render(provider, event));
  };
}

function providerOf(id: string): ProviderRef {
  const [countryCode = '', code = ''] = id.split('-');
  return { id, countryCode, code };
}

const selectNumbered = `
  select number, event_id, type, vehicle_id, record_id, occurred_at, erased from event_log
  where provider = $1 and number = any($2::bigint[]) order by number`;
