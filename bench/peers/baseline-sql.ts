import type { Connection } from '../database.ts';
import type { LoadResult } from '../load/load.ts';
import { startTask } from '../processes.ts';
import type { Bare } from '../scenarios.ts';
import type { Peer } from './peer.ts';

export type BaselineJob = {
  connection: Connection;
  baseline: Bare;
  connections: number;
  seconds: number;
};

/** The limit of the database: the best statement for a line, prepared, without HTTP. */
export const bareSqlPeer: Peer = {
  name: 'baseline SQL',
  note: 'the best statement that we know for the line, on the same tables, from a loop in Node; for the token request, the baseline signature',
  serves: () => true,
  async start(environment) {
    const task = startTask<BaselineJob, LoadResult>('peers/baseline-sql-task.ts');
    return {
      pids: [task.pid],
      run(line, connections, seconds, onBegin) {
        const job = {
          connection: environment.connection,
          baseline: line.baseline(environment),
          connections,
          seconds,
        };
        return task.ask(job, onBegin);
      },
      stop: task.stop,
    };
  },
};
