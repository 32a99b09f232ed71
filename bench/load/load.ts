import { startTask } from '../processes.ts';

export type Request = {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Sent over and over, by all connections at once, each going through requests of its own. */
export type Load = {
  urls: string[];
  requests: Request[];
  connections: number;
  seconds: number;
};

export type LoadResult = {
  perSecond: number;
  p50: number;
  p99: number;
  /** Requests that were answered with no success, or not at all. */
  failed: number;
};

/** Stands in a body for the moment at which it is sent. */
export const momentMark = '0000-00-00T00:00:00.000Z';

/** Loads servers from a process of its own. */
export async function load(job: Load, onBegin?: () => void): Promise<LoadResult> {
  const task = startTask<Load, LoadResult>('load/load-task.ts');
  try {
    return await task.ask(job, onBegin);
  } finally {
    await task.stop();
  }
}
