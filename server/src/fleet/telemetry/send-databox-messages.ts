import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { LargeJson } from '../../platform/http/large-json.ts';
import { type Message, operation, type ProviderRef } from '../../platform/http/operation.ts';
import { permits } from '../../platform/http/principal.ts';
import { millisecondsOf } from '../../platform/time/instant.ts';
import type { Dependencies } from '../dependencies.ts';
import { ingest, type Writer } from './ingest.ts';
import {
  type DataboxMessage,
  DataboxMessageSchema,
  exampleDataboxMessages,
  hasSignals,
  messageIssues,
  type ReadMessage,
  readMessage,
  timeIssue,
} from './message.ts';
import {
  CountsSchema,
  countsOf,
  MessageResultSchema,
  positionNotKept,
  type Result,
  rejected,
  unrevealed,
  unrevealing,
  vehicleInactive,
} from './result.ts';
import { statusFeedOf } from './status-feed.ts';
import type { Ingested, VehicleReading } from './vehicle-reading.ts';

const maxMessages = 10_000;

export const sendDataboxMessages = operation({
  id: 'sendDataboxMessages',
  method: 'POST',
  path: '/databox/messages',
  tag: 'Databox',
  role: 'databox',
  origin: 'motorpool',
  summary: 'Send messages of many vehicles',
  description:
    'Receives messages as a JSON array, or as JSON lines (`application/x-ndjson`), and returns the result of each, in their order: ' +
    '`accepted` when one of its signals is the current one now, `stale` when newer values of all of them were known (it is still ' +
    'added to the history), `duplicate` when it contained nothing new, `rejected` when it is not stored, with the reason. ' +
    'A signal that cannot be true, such as a tyre of 240 bar, is not stored, which `errors` says, and the rest of its message is. ' +
    'A message that is rejected does not affect the others. All others are committed together before the response; ' +
    'a client that got no response sends them again, and what had been received is a `duplicate`. ' +
    `Messages may come in any order: the result is the same. See the status of one vehicle for how they are merged. ${unrevealed}`,
  parameters: {},
  workload: 'batch',
  batch: {
    schema: DataboxMessageSchema,
    rules: messageIssues,
    maxMessages,
    maxBytes: 5 * 1_048_576,
    example: exampleDataboxMessages,
  },
  responses: {
    200: {
      description: 'The result of each message.',
      schema: Type.Object(
        {
          results: Type.Array(MessageResultSchema, { maxItems: maxMessages }),
          counts: CountsSchema,
        },
        { $id: 'SendDataboxMessagesResponse', additionalProperties: false },
      ),
      example: {
        results: [
          { index: 0, result: 'accepted' },
          { index: 1, ...unpairedSerial() },
        ],
        counts: { accepted: 1, stale: 0, duplicate: 0, rejected: 1 },
      },
    },
  },
  notFound: [],
  problems: {
    413: 'The body is larger than 5 MiB.',
    415: 'The body is neither JSON nor JSON lines in UTF-8.',
  },
  async handler({ provider, messages, caller }, { db, events, clock, settings }: Dependencies) {
    const read = await readAll(messages, settings.historyDays, clock.now().getTime());
    const reported: string[] = [];
    const results = read.some((one) => 'reading' in one)
      ? await db.transaction((tx) => ingestAll({ tx, events, reported }, provider, read))
      : (read as Result[]);
    statusFeedOf(db).note(provider.id, reported);
    const mayRead = permits(caller().roles, 'viewer');
    return { status: 200, body: answerOf(mayRead ? results : results.map(unrevealing)) };
  },
});

/** Others are served between slices, of the messages as of their results. */
const sliceSize = 1_000;

function answerOf(results: readonly Result[]): object {
  const counts = countsOf(results);
  const ofMessage = (result: Result, index: number) => ({ index, ...result });
  if (results.length <= sliceSize) return { results: results.map(ofMessage), counts };
  const parts = results.values().map((result, index) => JSON.stringify(ofMessage(result, index)));
  return new LargeJson('{"results":[', parts, `],"counts":${JSON.stringify(counts)}}`);
}

/** A message that can be stored, if its vehicle is known. With both, the box must be paired with the vehicle. */
export type Sent = ReadMessage & { vehicleId?: string | undefined; serial?: string | undefined };

export async function readAll(
  messages: readonly Message[],
  historyDays: number,
  now: number,
): Promise<(Sent | Result)[]> {
  const read: (Sent | Result)[] = [];
  for (const message of messages) {
    if (read.length > 0 && read.length % sliceSize === 0) await setImmediate();
    read.push(readOne(message, historyDays, now));
  }
  return read;
}

function readOne({ value, issues }: Message, historyDays: number, now: number): Sent | Result {
  if (issues.length > 0) return { result: 'rejected', reason: 'invalid', errors: [...issues] };
  const message = value as DataboxMessage;
  const { reading, implausible } = readMessage(message);
  const wrongTime = timeIssue(reading.time, historyDays, now);
  if (wrongTime) return rejected(wrongTime.reason, '/timestamp', wrongTime.detail);
  if (implausible.length > 0 && !hasSignals(reading.signals)) {
    return { result: 'rejected', reason: 'implausible', errors: implausible };
  }
  return { vehicleId: message.vehicleId, serial: message.serial, reading, implausible };
}

/** Ingests what can be stored; returns the results of all. */
export async function ingestAll(
  writer: Writer,
  provider: ProviderRef,
  read: readonly (Sent | Result)[],
): Promise<Result[]> {
  const pairings = await pairingsOf(writer.tx, provider, read);
  const readings: VehicleReading[] = [];
  for (const one of read) {
    const vehicleId = vehicleOf(one, pairings);
    if (vehicleId !== undefined) readings.push({ vehicleId, ...(one as Sent).reading });
  }
  const ingested = (await ingest(writer, provider, readings)).values();
  return read.map((one) => {
    if (!('reading' in one)) return one;
    const done = vehicleOf(one, pairings) === undefined ? undefined : ingested.next().value;
    if (!done) return unpairedSerial();
    const result = resultOf(done);
    return one.implausible.length > 0 ? { errors: one.implausible, ...result } : result;
  });
}

/** `since` is the time from which on its messages are of the vehicle: before, the box was in another. */
type Pairing = { vehicleId: string; since: number };

function vehicleOf(one: Sent | Result, pairings: ReadonlyMap<string, Pairing>): string | undefined {
  if (!('reading' in one)) return undefined;
  if (one.serial === undefined) return one.vehicleId;
  const pairing = pairings.get(one.serial);
  if (!pairing || one.reading.time < pairing.since) return undefined;
  const { vehicleId } = pairing;
  return vehicleId === (one.vehicleId ?? vehicleId) ? vehicleId : undefined;
}

/** The pairings by the serials of their boxes. */
async function pairingsOf(
  tx: Queryable,
  provider: ProviderRef,
  read: readonly (Sent | Result)[],
): Promise<Map<string, Pairing>> {
  const serials = read.flatMap((one) => ('reading' in one ? (one.serial ?? []) : []));
  if (serials.length === 0) return new Map();
  const rows = await tx.query<{ serial: string; vehicle_id: string; since: number | null }>(
    selectPairings,
    [provider.id, [...new Set(serials)]],
  );
  return new Map(
    rows.map(({ serial, vehicle_id: vehicleId, since }) => [
      serial,
      { vehicleId, since: since ?? Number.NEGATIVE_INFINITY },
    ]),
  );
}

// Of the first pairing, messages from before count, too: a box may be installed before somebody says so.
const selectPairings = `
  select serial, vehicle_id, case when paired_at > created_at then ${millisecondsOf('paired_at')} end as since
  from databoxes where provider = $1 and serial = any($2)`;

function resultOf(ingested: Ingested): Result {
  if (ingested.result !== 'rejected') return ingested;
  switch (ingested.reason) {
    case 'position_not_kept':
      return rejected('position_not_kept', '/location', positionNotKept);
    case 'inactive_vehicle':
      return rejected('inactive_vehicle', '', vehicleInactive);
    default:
      return rejected(
        'unknown_vehicle',
        '/vehicleId',
        'The vehicle does not exist, or it belongs to another asset provider.',
      );
  }
}

function unpairedSerial(): Result {
  return rejected(
    'unpaired_serial',
    '/serial',
    'No vehicle is paired with this box, or it was paired after the message was measured.',
  );
}
