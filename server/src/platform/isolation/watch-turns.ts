import { Worker } from 'node:worker_threads';
import { moduleFile } from './module-file.ts';

const beatMs = 200;
const maxNameBytes = 1_024;

/** What the thread that watches shares with the one that works: a number that changes, and for whom the work is. */
export type WatchedTurns = { beat: Int32Array; nameLength: Int32Array; name: Uint8Array };

/**
 * Ends this process when a turn of its event loop, or a piece of work in it, takes too much processor time, or when the one that it works for is gone.
 * The returned function runs work for somebody, whose name is then told on standard output.
 */
export function watchTurns(): (name: string, work: () => void) => void {
  const turns: WatchedTurns = {
    beat: new Int32Array(new SharedArrayBuffer(4)),
    nameLength: new Int32Array(new SharedArrayBuffer(4)),
    name: new Uint8Array(new SharedArrayBuffer(maxNameBytes)),
  };
  const workerData = { turns, parent: process.ppid };
  new Worker(moduleFile(import.meta.dirname, 'turns-worker.ts'), { workerData }).unref();
  setInterval(() => Atomics.add(turns.beat, 0, 1), beatMs).unref();
  const encoder = new TextEncoder();
  return (name, work) => {
    Atomics.store(turns.nameLength, 0, encoder.encodeInto(name, turns.name).written);
    // So that what others have taken of the turn does not count.
    Atomics.add(turns.beat, 0, 1);
    try {
      work();
    } finally {
      Atomics.store(turns.nameLength, 0, 0);
      Atomics.add(turns.beat, 0, 1);
    }
  };
}
