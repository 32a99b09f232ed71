import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchedTurns } from './watch-turns.ts';

/** A thread apart, as a turn that takes long is what it watches for. */
const { turns, parent } = workerData as { turns: WatchedTurns; parent: number };
const intervalMs = 200;
/** Of processor time, so that a busy machine is not taken for a long turn. */
const maxTurnMicroseconds = 1_000_000;

let lastBeat = -1;
let usedAtBeat = 0;

setInterval(() => {
  if (process.ppid !== parent) end();
  const { user, system } = process.cpuUsage();
  const beat = Atomics.load(turns.beat, 0);
  if (beat !== lastBeat) {
    lastBeat = beat;
    usedAtBeat = user + system;
  } else if (user + system - usedAtBeat > maxTurnMicroseconds) {
    const name = turns.name.slice(0, Atomics.load(turns.nameLength, 0));
    writeSync(1, Buffer.from(name));
    end();
  }
}, intervalMs);

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
