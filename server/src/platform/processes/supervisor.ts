import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { processRestarts } from '../metrics.ts';
import { collectFrom } from './collect-metrics.ts';
import { forkProcess, type SupervisedProcess } from './forked-process.ts';
import type { Addresses } from './messages.ts';

type Options = {
  logger: Logger;
  /** How long a process may take to stop before it is killed. */
  stopLimitMs: number;
  /** Stops all of them. */
  signal: AbortSignal;
};

export type Supervisor = Addresses & {
  /** Replaces one process after the other, each by one that serves already. */
  roll(): Promise<void>;
  /** When the signal has come and all processes have ended. */
  ended: Promise<void>;
};

/** A process that has served for so long was no failed start. */
const stableMs = 10_000;
const pausesMs = { first: 100, longest: 10_000 };

/** One of the processes that are wanted; which one it is changes. */
type Slot = { process: SupervisedProcess; pauseMs: number };

/** Runs so many processes of the program, and replaces those that end; one that fails at the start ends them all. */
export async function superviseProcesses(
  count: number,
  { logger, stopLimitMs, signal }: Options,
): Promise<Supervisor> {
  cluster.setupPrimary({ serialization: 'advanced' });
  const running = new Set<SupervisedProcess>();
  const slots: Slot[] = [];
  const metrics = collectFrom(running, (error) =>
    logger.error({ err: error }, 'the metrics of the processes cannot be summed'),
  );
  let rolls: Promise<void> = Promise.resolve();

  function start(): SupervisedProcess {
    const one = forkProcess(stopLimitMs);
    running.add(one);
    metrics.serve(one);
    void one.ended.then(() => {
      running.delete(one);
      metrics.retire(one);
    });
    return one;
  }

  async function addSlot(): Promise<Addresses> {
    const one = start();
    const addresses = await one.ready;
    const slot = { process: one, pauseMs: pausesMs.first };
    slots.push(slot);
    void replaceWhenEnded(slot);
    return addresses;
  }

  async function replaceWhenEnded(slot: Slot): Promise<void> {
    const lost = slot.process;
    const readyAt = performance.now();
    const end = await lost.ended;
    if (lost.isStopping || signal.aborted) return;
    processRestarts.inc();
    logger.error({ pid: lost.pid, ...end }, 'a process ended, and is replaced');
    if (performance.now() - readyAt > stableMs) slot.pauseMs = pausesMs.first;
    // A roll may have replaced it meanwhile.
    while (slot.process === lost && !signal.aborted) {
      await sleep(slot.pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      slot.pauseMs = Math.min(slot.pauseMs * 2, pausesMs.longest);
      const next = start();
      try {
        await next.ready;
      } catch (error) {
        logger.error({ reason: (error as Error).message }, 'a process did not start');
        continue;
      }
      if (slot.process !== lost) return next.stop();
      slot.process = next;
      void replaceWhenEnded(slot);
    }
  }

  async function rollAll(): Promise<void> {
    for (const slot of slots) {
      if (signal.aborted) return;
      const next = start();
      try {
        await next.ready;
      } catch (error) {
        if (signal.aborted) return;
        const reason = (error as Error).message;
        logger.error({ reason }, 'a process did not start: those that run are not replaced');
        return;
      }
      const previous = slot.process;
      slot.process = next;
      void replaceWhenEnded(slot);
      await previous.stop();
    }
    logger.info({ pids: slots.map(({ process }) => process.pid) }, 'all processes are replaced');
  }

  const stopAll = () => Promise.all([...running].map((one) => one.stop()));
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => void stopAll().then(() => resolve())),
  );
  // A process that hangs would outlive this one.
  process.on('exit', () => {
    for (const one of running) one.kill();
  });

  try {
    // The first alone: what fails for all is told once.
    const addresses = await addSlot();
    await Promise.all(Array.from({ length: count - 1 }, addSlot));
    return {
      ...addresses,
      roll: () => {
        rolls = rolls.then(rollAll);
        return rolls;
      },
      ended,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
