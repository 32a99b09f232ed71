import { Worker } from 'node:worker_threads';

/**
 * The result of a file that is run in a thread of its own, as its work would hold up requests. What it gets is copied, but for the
 * memory that is given away with it.
 */
export function runInThread<Result>(
  file: string,
  workerData: object,
  given: readonly ArrayBuffer[] = [],
): Promise<Result> {
  const thread = new Worker(file, { workerData, transferList: [...given] });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error(`the thread of ${file} has ended`)));
  });
}
