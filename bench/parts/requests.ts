import { isDeepStrictEqual } from 'node:util';
import { withDatabase } from '../database.ts';
import type { Environment } from '../environment.ts';
import { log } from '../log.ts';
import { type Measurement, measure, median, type Pace } from '../measure.ts';
import { baselineSqlPeer } from '../peers/baseline-sql.ts';
import { motorpoolPeer } from '../peers/motorpool.ts';
import { nestPeer } from '../peers/nest.ts';
import type { Peer, RunningPeer } from '../peers/peer.ts';
import { plainHttpPeer } from '../peers/plain-http.ts';
import { prismPeer } from '../peers/prism.ts';
import { type Scenario, scenarios } from '../scenarios.ts';

/** The measurements of one scenario, by peer. */
export type ScenarioResult = { scenario: Scenario; size: number; peers: Map<string, Measurement> };

/** Every scenario against every peer, one peer at a time, pass by pass. */
export async function measureRequests(
  environment: Environment,
  pace: Pace,
  options: { installed: boolean },
): Promise<{ results: ScenarioResult[]; peers: Peer[] }> {
  const answers: Answers = new Map();
  const peers = [
    motorpoolPeer,
    plainHttpPeer((scenario) => answers.get(scenario)?.size ?? 0),
    baselineSqlPeer,
    ...(options.installed ? [prismPeer, nestPeer] : []),
  ];
  for (const peer of peers) await peer.prepare?.(environment);
  await whileRunning(motorpoolPeer, environment, (service) => readAnswers(service, answers));
  if (options.installed) {
    await whileRunning(nestPeer, environment, (peer) => requireSameAnswers(peer, answers));
  }

  const measured = new Map<string, Measurement[]>();
  // Scenarios that fill tables come last: they would slow down later reads.
  for (const some of [
    scenarios.filter((one) => !one.fillsTables),
    scenarios.filter((one) => one.fillsTables),
  ]) {
    // Pass by pass, so that a slow period of the machine affects all peers.
    for (let pass = 1; pass <= pace.passes; pass++) {
      for (const peer of peers) {
        await settle(environment);
        await whileRunning(peer, environment, async (running) => {
          for (const scenario of some.filter(peer.serves)) {
            const measurement = await measure(running, environment, scenario, pace);
            const key = keyOf(scenario, peer);
            measured.set(key, [...(measured.get(key) ?? []), measurement]);
            log(
              `pass ${pass}: ${peer.name}, ${scenario.name}: ${Math.round(measurement.perSecond)}/s`,
            );
          }
        });
      }
    }
  }
  const results = scenarios.map((scenario) => ({
    scenario,
    size: answers.get(scenario.name)?.size ?? 0,
    peers: new Map(
      peers
        .filter((peer) => peer.serves(scenario))
        .map((peer) => [peer.name, median(measured.get(keyOf(scenario, peer)) ?? [])]),
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

/** No peer pays for what the previous one has written. */
async function settle({ connection }: Environment): Promise<void> {
  await withDatabase(connection, async (db) => {
    await db.queryUnprepared('vacuum (analyze)');
    await db.queryUnprepared('checkpoint');
  });
}

function keyOf(scenario: Scenario, peer: Peer): string {
  return `${scenario.name}|${peer.name}`;
}

type Answers = Map<string, { size: number; body: unknown }>;

async function readAnswers(service: RunningPeer, answers: Answers): Promise<void> {
  for (const scenario of scenarios) {
    const answer = await service.answer?.(scenario);
    if (!answer) continue;
    scenario.requireDone?.(answer.body);
    answers.set(scenario.name, answer);
  }
}

/** A peer with other answers has not done the same work. */
async function requireSameAnswers(peer: RunningPeer, answers: Answers): Promise<void> {
  for (const scenario of scenarios.filter(({ isComparable }) => isComparable)) {
    const answer = await peer.answer?.(scenario);
    const ours = answers.get(scenario.name)?.body;
    if (!isDeepStrictEqual(answer?.body, ours)) {
      throw new Error(
        `${scenario.name}: the peer answers\n${JSON.stringify(answer?.body)}\nand the service\n${JSON.stringify(ours)}`,
      );
    }
  }
}
