import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { addClient } from '../auth/clients.ts';
import type { Database } from '../platform/db/database.ts';
import type { Answer } from '../testing/http-client.ts';
import { isDisconnected } from '../testing/until-disconnected.ts';
import { type FleetClient, type FleetRequest, fleetClient } from './fleet-client.ts';
import { type WriteKind, writeKinds } from './write-kinds.ts';

type Write = {
  kind: WriteKind;
  marker: string;
  request: FleetRequest;
  /** Whether its answer said that it is stored. */
  isAcknowledged: boolean;
};

/** The writes that clients of DE-ABC have sent, and which of them were acknowledged. */
export type Ledger = {
  connect(url: string): FleetClient;
  /** One writer of each kind of write, one request after the other each, until `stop`. */
  startWriters(client: FleetClient, pauseMs?: number): Promise<Writers>;
  /** What was acknowledged is stored, and nothing in part; throws otherwise. Of all writes, or of those since the last check. */
  check(which: 'new' | 'all'): Promise<void>;
  /** As clients do that got no answer: afterwards each of those writes is stored once. */
  sendAgain(client: FleetClient): Promise<void>;
  counts: Counts;
  /** Sets apart how long answers take from here on. */
  resetSlowest(): void;
};

type Counts = {
  acknowledged: number;
  /** By an answer, as the service cannot write now. */
  refused: number;
  lastRefusal: string;
  /** The connection ended without an answer. */
  cutShort: number;
  slowestMs: number;
  /** When each writer had its last acknowledgement. */
  acknowledgedAt: Map<WriteKind, number>;
};

type Writers = {
  /** Resolves once all have ended; rejects when an answer breaks a promise. */
  stop(): Promise<void>;
  /** Resolves when the connections of all have failed. */
  disconnected: Promise<void>;
};

/** The service may refuse for a while; whatever else it answers breaks a promise. */
const refusals = [429, 503];

export async function openLedger(db: Database): Promise<Ledger> {
  const { id, secret = '' } = await addClient(db, 'DE-ABC', { name: 'ledger', role: 'admin' });
  const writes: Write[] = [];
  const unchecked = new Set<Write>();
  let number = 0;
  let hasVehicles = false;
  const counts: Counts = {
    acknowledged: 0,
    refused: 0,
    lastRefusal: '',
    cutShort: 0,
    slowestMs: 0,
    acknowledgedAt: new Map(writeKinds.map((kind) => [kind, 0])),
  };

  async function timed(client: FleetClient, request: FleetRequest): Promise<Answer> {
    const startedAt = performance.now();
    try {
      return await client.call(request);
    } finally {
      counts.slowestMs = Math.max(counts.slowestMs, performance.now() - startedAt);
    }
  }

  /** Returns whether the service took it. */
  async function writeOnce(client: FleetClient, kind: WriteKind, vehicleId: string) {
    const marker = kind.marker(number++);
    const call = async (request: FleetRequest) => {
      const answer = await timed(client, request);
      if (answer.status >= 300) throw new Refused(answer);
      return answer;
    };
    try {
      const request = await kind.prepare({ call, vehicleId, marker });
      const write = { kind, marker, request, isAcknowledged: false };
      writes.push(write);
      unchecked.add(write);
      await call(request);
      write.isAcknowledged = true;
      counts.acknowledged += 1;
      counts.acknowledgedAt.set(kind, performance.now());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      expect(refusals, `${kind.name}: ${error.message}`).toContain(error.status);
      counts.refused += 1;
      counts.lastRefusal = `${kind.name}: ${error.message}`;
      await sleep(20);
    }
  }

  /** Those of each writer, so that none waits for another. */
  async function makeVehicles(client: FleetClient): Promise<void> {
    const ids = writeKinds.map((_, index) => vehicleOf(index));
    for (const vehicleId of ids.flatMap((vehicleId) => [vehicleId, `${vehicleId}-SENT`])) {
      const request = { method: 'PUT', path: `/${vehicleId}`, body: { information: {} } };
      await expect
        .poll(async () => (await client.call(request)).status, { timeout: 60_000 })
        .toBeLessThan(300);
    }
    hasVehicles = true;
  }

  return {
    counts,
    connect: (url) => fleetClient(url, { clientId: id, clientSecret: secret }),
    resetSlowest() {
      counts.slowestMs = 0;
    },
    async startWriters(client, pauseMs = 0) {
      if (!hasVehicles) await makeVehicles(client);
      let isStopped = false;
      const writer = async (kind: WriteKind, vehicleId: string) => {
        while (!isStopped) {
          try {
            await writeOnce(client, kind, vehicleId);
          } catch (error) {
            if (!isDisconnected(error)) throw error;
            counts.cutShort += 1;
            return;
          }
          if (pauseMs > 0) await sleep(pauseMs);
        }
      };
      const running = Promise.all(
        writeKinds.map((kind, index) => writer(kind, vehicleOf(index))),
      ).then(() => {});
      // Whoever stops them learns of a failure.
      running.catch(() => {});
      return {
        disconnected: running,
        stop() {
          isStopped = true;
          return running;
        },
      };
    },
    async check(which) {
      // Which may still recover from the fault.
      await expect.poll(() => db.query('select 1'), { timeout: 60_000 }).toHaveLength(1);
      const some = which === 'all' ? writes : [...unchecked];
      unchecked.clear();
      for (const [kind, ofKind] of Map.groupBy(some, (write) => write.kind)) {
        const markers = ofKind.map(({ marker }) => marker);
        const found = await db.query<{ marker: string; parts: number }>(kind.stored, [markers]);
        const parts = new Map(found.map((row) => [row.marker, row.parts]));
        for (const { marker, isAcknowledged } of ofKind) {
          const possible = isAcknowledged ? [kind.parts] : [0, kind.parts];
          const state = isAcknowledged ? 'acknowledged' : 'without an answer';
          expect(possible, `${kind.name} ${marker}, ${state}`).toContain(parts.get(marker) ?? 0);
        }
      }
    },
    async sendAgain(client) {
      const open = writes.filter(({ isAcknowledged }) => !isAcknowledged);
      for (const write of open) {
        const { kind, marker, request } = write;
        const isDone = ({ status }: Answer) =>
          status < 300 || (request.method === 'DELETE' && status === 404);
        await expect
          .poll(() => client.call(request), { timeout: 60_000, interval: 100 })
          // What a killed process had begun may hold its key for a moment: 409, or 503.
          .toSatisfy(isDone, `${kind.name} ${marker} is taken when it is sent again`);
        write.isAcknowledged = true;
        unchecked.add(write);
      }
    },
  };
}

const vehicleOf = (writer: number) => `DE*ABC*W${writer}`;

class Refused extends Error {
  readonly status: number;
  constructor({ status, text }: Answer) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

/** The figure of a ledger. */
export function figureOf({ acknowledged, refused, cutShort }: Ledger['counts']): string {
  const number = (value: number) => value.toLocaleString('en');
  return `${number(acknowledged)} writes acknowledged, ${number(refused)} refused, ${number(cutShort)} cut short: none lost, none half written`;
}
