import { Worker } from 'node:worker_threads';

/** The result of a file that is run in a thread of its own, as its work would hold up requests. */
export function runInThread<Result>(file: string, workerData: object): Promise<Result> {
  const thread = new Worker(file, { workerData });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error(`the thread of ${file} has ended`)));
  });
}
