import type { Queryable } from '../../platform/db/database.ts';
import type { ReadBudget } from '../../platform/db/read-budget.ts';
import type { LoggedEvent } from '../../platform/event-log/read-log.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { ChangeKind, RecordEvents } from '../record-events.ts';
import { changedPaths } from './changed-paths.ts';
import { type CloudEvent, sourceOf } from './cloud-event.ts';

type States = { before?: object; after?: object };

/** An event with the rows of its record before and after the change. */
export type EventRows = States & { event: LoggedEvent };

/** Renders logged events with the SQL by which the modules read their records. */
export function eventRenderer(records: readonly RecordEvents[]) {
  const byType = new Map(
    records.map((record) => [record.type, { record, sql: selectStates(record) }]),
  );

  async function readRows(
    tx: Queryable,
    provider: ProviderRef,
    events: readonly LoggedEvent[],
    budget?: ReadBudget,
  ): Promise<EventRows[]> {
    const states = new Map<number, States>();
    const ofRecords = Map.groupBy(events, ({ type }) => splitType(type).record);
    for (const [type, logged] of ofRecords) {
      const { record, sql } = byType.get(type) ?? {};
      if (!record || sql === undefined) continue;
      const numbers = logged.map(({ number }) => number);
      const rows = await tx.query<StateRow>(sql, [provider.id, numbers], budget);
      for (const { event_number, event_moment, ...row } of rows)
        states.set(event_number, { ...states.get(event_number), [event_moment]: row });
    }
    return events.map((event) => ({ event, ...states.get(event.number) }));
  }

  /** One at a time: the records of a page are too large for one turn of the event loop. */
  function render(provider: ProviderRef, { event, before, after }: EventRows): CloudEvent {
    const { record } = byType.get(splitType(event.type).record) ?? {};
    const subject = record?.subject(event.record_id, event.vehicle_id) ?? '/';
    const resourceOf = (row: object | undefined) =>
      row && record?.resource(row as never, { providerId: provider.id });
    return cloudEventOf(provider, event, subject, resourceOf(before), resourceOf(after));
  }

  return { readRows, render };
}

type StateRow = { event_number: number; event_moment: keyof States };

function selectStates({ table, alias, columns }: RecordEvents): string {
  return `
    select logged.number as event_number, image.moment as event_moment, ${columns}
    from event_log logged
    cross join lateral (values ('before', logged.before), ('after', logged.after)) image (moment, state)
    cross join lateral json_populate_record(null::${table}, image.state) ${alias}
    where logged.provider = $1 and logged.number = any($2::bigint[]) and image.state is not null`;
}

function splitType(type: string): { record: string; kind: ChangeKind } {
  const [record = '', kind] = type.split('.');
  return { record, kind: kind as ChangeKind };
}

function cloudEventOf(
  provider: ProviderRef,
  event: LoggedEvent,
  subject: string,
  before: unknown,
  after: unknown,
): CloudEvent {
  const { kind } = splitType(event.type);
  return {
    specversion: '1.0',
    id: event.event_id,
    source: sourceOf(provider),
    type: event.type,
    subject,
    time: event.occurred_at,
    datacontenttype: 'application/json',
    sequence: String(event.number),
    ...(event.vehicle_id !== null && { vehicleid: event.vehicle_id }),
    data: event.erased
      ? { erased: true }
      : {
          resource: kind === 'deleted' ? before : after,
          ...(kind === 'updated' && { changed: changedPaths(before, after) }),
        },
  };
}
