import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFigure } from '../../../faults/figures.ts';
import { send } from '../../../testing/http-client.ts';
import { makeFleet } from '../../../testing/make-fleet.ts';
import { createServed, type Served } from '../../../testing/serve.ts';
import { untilDisconnected } from '../../../testing/until-disconnected.ts';

// npm run test:faults has more of them.
const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const writers = 4;

let served: Served;
let vehicleId = '';
beforeAll(async () => {
  served = await createServed();
  const [vehicle] = await makeFleet(served.db, 'DE', 'ABC', 1);
  vehicleId = vehicle?.asset.id ?? '';
});
afterAll(() => served.close());

type Service = Awaited<ReturnType<Served['start']>>;
type Write = { key: string; answer?: string };

/** The title of the incident is its key, so that the database tells how often it was written. */
function create({ url, token }: Service, key: string) {
  return send(url, {
    method: 'POST',
    path: `/api/fleets/v1/DE/ABC/${vehicleId}/incidents`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({
      title: key,
      vehicleOperable: true,
      incidentType: 'breakdown',
      isResolved: false,
    }),
  });
}

/** Writes until the service has stopped. */
async function busyWriter(service: Service, writes: Write[]): Promise<void> {
  await untilDisconnected(async () => {
    const write: Write = { key: randomUUID() };
    writes.push(write);
    const { status, text } = await create(service, write.key);
    expect(status, text).toBe(201);
    write.answer = text;
  });
}

async function sendAgain(service: Service, { key, answer }: Write): Promise<void> {
  let first = await create(service, key);
  // What the killed process had begun may hold its key for a moment.
  while (first.status === 409) first = await create(service, key);
  const again = await create(service, key);
  expect([again.headers['idempotency-replayed'], again.text]).toEqual([
    'true',
    answer ?? first.text,
  ]);
}

test(
  `kill -9 while requests are answered (${rounds}×): every write that is sent again has happened once, with one answer`,
  async () => {
    let service = await served.start();
    const keys = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const writes: Write[] = [];
      const busy = Array.from({ length: writers }, () => busyWriter(service, writes));
      await sleep(randomInt(50, 500));
      service.kill('SIGKILL');
      await Promise.all([...busy, service.ended]);
      service = await served.start();

      // One after the other: a client may have 50 requests in flight.
      for (const write of writes) {
        await sendAgain(service, write);
        keys.add(write.key);
      }
      expect(writes.some(({ answer }) => answer === undefined)).toBe(true);
      const written = await served.db.query<{ title: string }>('select title from incidents');
      expect(written.map(({ title }) => title).sort()).toEqual([...keys].sort());
    }
    service.kill();
    await service.ended;
    recordFigure(
      'service killed, requests sent again',
      `${rounds} kills: ${keys.size} keys, each with one write and one answer`,
    );
  },
  120_000 + rounds * 60_000,
);
