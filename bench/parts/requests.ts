import { isDeepStrictEqual } from 'node:util';
import { withDatabase } from '../database.ts';
import type { Environment } from '../environment.ts';
import { log } from '../log.ts';
import { type Measurement, measure, median, type Pace } from '../measure.ts';
import { bareSqlPeer } from '../peers/baseline-sql.ts';
import { motorpoolPeer } from '../peers/motorpool.ts';
import { nestPeer } from '../peers/nest.ts';
import type { Peer, RunningPeer } from '../peers/peer.ts';
import { plainHttpPeer } from '../peers/plain-http.ts';
import { prismPeer } from '../peers/prism.ts';
import { type Line, lines } from '../scenarios.ts';

/** A line of the table: what each peer that serves it did. */
export type LineResult = { line: Line; size: number; peers: Map<string, Measurement> };

/** Every line against every peer, each peer alone, one after the other, pass by pass. */
export async function measureRequests(
  environment: Environment,
  pace: Pace,
  options: { installed: boolean },
): Promise<{ results: LineResult[]; peers: Peer[] }> {
  const answers: Answers = new Map();
  const peers = [
    motorpoolPeer,
    plainHttpPeer((line) => answers.get(line)?.size ?? 0),
    bareSqlPeer,
    ...(options.installed ? [prismPeer, nestPeer] : []),
  ];
  for (const peer of peers) await peer.prepare?.(environment);
  await whileRunning(motorpoolPeer, environment, (service) => readAnswers(service, answers));
  if (options.installed) {
    await whileRunning(nestPeer, environment, (peer) => requireSameAnswers(peer, answers));
  }

  const measured = new Map<string, Measurement[]>();
  // What fills tables comes last: it would slow down whoever reads them after it.
  for (const some of [
    lines.filter((one) => !one.fillsTables),
    lines.filter((one) => one.fillsTables),
  ]) {
    // Pass by pass rather than peer by peer, so that a slow hour of the machine falls on all of them.
    for (let pass = 1; pass <= pace.passes; pass++) {
      for (const peer of peers) {
        await settle(environment);
        await whileRunning(peer, environment, async (running) => {
          for (const line of some.filter(peer.serves)) {
            const measurement = await measure(running, environment, line, pace);
            const key = keyOf(line, peer);
            measured.set(key, [...(measured.get(key) ?? []), measurement]);
            log(`pass ${pass}: ${peer.name}, ${line.name}: ${Math.round(measurement.perSecond)}/s`);
          }
        });
      }
    }
  }
  const results = lines.map((line) => ({
    line,
    size: answers.get(line.name)?.size ?? 0,
    peers: new Map(
      peers
        .filter((peer) => peer.serves(line))
        .map((peer) => [peer.name, median(measured.get(keyOf(line, peer)) ?? [])]),
    ),
  }));
  return { results, peers };
}

async function whileRunning(
  peer: Peer,
  environment: Environment,
  work: (running: RunningPeer) => Promise<void>,
): Promise<void> {
  const running = await peer.start(environment);
  try {
    await work(running);
  } finally {
    await running.stop();
  }
}

/** Nobody pays for what the one before has written. */
async function settle({ connection }: Environment): Promise<void> {
  await withDatabase(connection, async (db) => {
    await db.queryUnprepared('vacuum (analyze)');
    await db.queryUnprepared('checkpoint');
  });
}

function keyOf(line: Line, peer: Peer): string {
  return `${line.name}|${peer.name}`;
}

type Answers = Map<string, { size: number; body: unknown }>;

async function readAnswers(service: RunningPeer, answers: Answers): Promise<void> {
  for (const line of lines) {
    const answer = await service.answer?.(line);
    if (!answer) continue;
    line.requireDone?.(answer.body);
    answers.set(line.name, answer);
  }
}

/** A peer that answers something else has not done the same work. */
async function requireSameAnswers(peer: RunningPeer, answers: Answers): Promise<void> {
  for (const line of lines.filter(({ isComparable }) => isComparable)) {
    const answer = await peer.answer?.(line);
    const ours = answers.get(line.name)?.body;
    if (!isDeepStrictEqual(answer?.body, ours)) {
      throw new Error(
        `${line.name}: the peer answers\n${JSON.stringify(answer?.body)}\nand the service\n${JSON.stringify(ours)}`,
      );
    }
  }
}
