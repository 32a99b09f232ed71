import { startTask } from '../processes.ts';

export type Request = {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Sent repeatedly by concurrent connections, each with its share of the requests. */
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
  /** Requests without a successful answer. */
  failed: number;
};

/** Replaced in a body by the time at which it is sent. */
export const timePlaceholder = '0000-00-00T00:00:00.000Z';

/** Generates load from a separate process. */
export async function load(job: Load, onBegin?: () => void): Promise<LoadResult> {
  const task = startTask<Load, LoadResult>('load/load-task.ts');
  try {
    return await task.execute(job, onBegin);
  } finally {
    await task.stop();
  }
}
