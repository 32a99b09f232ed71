import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFigure } from '../../faults/figures.ts';
import { send } from '../../testing/http-client.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { createServed, type Served } from '../../testing/serve.ts';
import { untilDisconnected } from '../../testing/until-disconnected.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const writers = 4;

let served: Served;
let vehicles: string[];

beforeAll(async () => {
  served = await createServed();
  vehicles = (await makeFleet(served.db, 'DE', 'ABC', 12)).map(({ asset }) => asset.id);
  // What they stand at comes from messages alone.
  await served.db.query(
    `update vehicle_statuses
     set odometer = null, fuel_level = null, odometer_at = null, fuel_level_at = null`,
  );
});
afterAll(() => served.close());

type Message = { vehicleId: string; timestamp: string; odometer?: number; fuelLevel?: number };
type Batch = { messages: Message[]; acknowledged: boolean };
type Service = Awaited<ReturnType<Served['start']>>;

const begin = Date.now() - 3_600_000;
let sent = 0;

/** No two have the same time, so the newest of them is what the vehicle stands at. */
function makeBatch(): Batch {
  const messages = Array.from({ length: randomInt(1, 60) }, () => {
    const number = sent++;
    return {
      vehicleId: vehicles[randomInt(vehicles.length)] ?? '',
      timestamp: new Date(begin + number).toISOString(),
      ...(number % 3 > 0 && { odometer: number / 1_000 }),
      ...(number % 3 < 2 && { fuelLevel: number % 101 }),
    };
  });
  return { messages: messages.sort(() => randomInt(3) - 1), acknowledged: false };
}

function post({ url, token }: Service, messages: readonly Message[]) {
  return send(url, {
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/databox/messages',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
}

/** Sends batches until the service has stopped. */
async function busyWriter(service: Service, batches: Batch[]): Promise<void> {
  await untilDisconnected(async () => {
    const batch = makeBatch();
    batches.push(batch);
    const { status, json } = await post(service, batch.messages);
    expect([status, json.counts.rejected, json.counts.duplicate]).toEqual([200, 0, 0]);
    batch.acknowledged = true;
  });
}

test(
  `kill -9 while messages come (${rounds}×): none that was acknowledged is lost, and no batch is kept in part`,
  async () => {
    const counts = { acknowledged: 0, cutShort: 0, ofThemKept: 0 };
    const kept: Message[] = [];
    let service = await served.start();
    for (let round = 0; round < rounds; round++) {
      const batches: Batch[] = [];
      const busy = Array.from({ length: writers }, () => busyWriter(service, batches));
      await sleep(randomInt(50, 800));
      service.kill('SIGKILL');
      await Promise.all([...busy, service.ended]);
      service = await served.start();

      const known = await momentsNow();
      for (const { messages, acknowledged } of batches) {
        const found = messages.filter((message) => known.has(keyOf(message))).length;
        expect(acknowledged ? [messages.length] : [0, messages.length]).toContain(found);
        if (found > 0) kept.push(...messages);
        counts[acknowledged ? 'acknowledged' : 'cutShort'] += messages.length;
        if (!acknowledged) counts.ofThemKept += found;
      }
      expect(known.size).toBe(kept.length);
      expect(await statusesNow()).toEqual(foldOf(kept));

      // As a client does that got no answer: what had happened does not happen twice.
      for (const { messages } of batches.filter(({ acknowledged }) => !acknowledged)) {
        const { json } = await post(service, messages);
        const repeated = messages.filter((message) => known.has(keyOf(message))).length;
        expect([json.counts.rejected, json.counts.duplicate]).toEqual([0, repeated]);
        if (repeated === 0) kept.push(...messages);
      }
      expect(await statusesNow()).toEqual(foldOf(kept));
    }
    recordFigure(
      'service killed while messages come',
      `${rounds} kills: ${counts.acknowledged} messages acknowledged, ${counts.cutShort} cut short, of which ${counts.ofThemKept} were stored`,
    );
    service.kill();
    await service.ended;
  },
  120_000 + rounds * 20_000,
);

/** Every moment of the history, once what the killed service had begun has ended. */
async function momentsNow(): Promise<Set<string>> {
  return served.db.transaction(async (tx) => {
    await tx.query('select 1 from vehicle_statuses order by vehicle_id for update');
    const rows = await tx.query<Omit<Message, 'timestamp'> & { vehicle_id: string; time: string }>(
      'select vehicle_id, time, odometer, fuel_level as "fuelLevel" from vehicle_history',
    );
    return new Set(
      rows.map(({ vehicle_id, time, odometer, fuelLevel }) =>
        keyOf({ vehicleId: vehicle_id, timestamp: time, odometer, fuelLevel }),
      ),
    );
  });
}

function keyOf({ vehicleId, timestamp, odometer, fuelLevel }: Message): string {
  return [vehicleId, timestamp, odometer, fuelLevel].join(' ');
}

type State = { odometer?: number; fuelLevel?: number; lastUpdated: string };

/** What the vehicles stand at after these messages. */
function foldOf(messages: readonly Message[]): Record<string, State> {
  const states: Record<string, State> = {};
  for (const { vehicleId, timestamp, ...signals } of messages.toSorted((a, b) =>
    a.timestamp < b.timestamp ? -1 : 1,
  )) {
    states[vehicleId] = { ...states[vehicleId], ...signals, lastUpdated: timestamp };
  }
  return states;
}

async function statusesNow(): Promise<Record<string, State>> {
  const rows = await served.db.query<Record<string, never>>(
    `select vehicle_id, odometer, fuel_level, last_updated from vehicle_statuses
     where num_nonnulls(odometer_at, fuel_level_at) > 0`,
  );
  return Object.fromEntries(
    rows.map(({ vehicle_id, odometer, fuel_level, last_updated }) => [
      vehicle_id,
      {
        ...(odometer !== null && { odometer }),
        ...(fuel_level !== null && { fuelLevel: fuel_level }),
        lastUpdated: last_updated,
      },
    ]),
  );
}
