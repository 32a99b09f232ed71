import type { Connection } from '../database.ts';
import type { LoadResult } from '../load/load.ts';
import { startTask } from '../processes.ts';
import type { Baseline } from '../scenarios.ts';
import type { Peer } from './peer.ts';

export type BaselineJob = {
  connection: Connection;
  baseline: Baseline;
  connections: number;
  seconds: number;
};

/** The limit of the database: the best prepared statement of a scenario, without HTTP. */
export const baselineSqlPeer: Peer = {
  name: 'baseline SQL',
  note: 'the best known statement for the scenario, on the same tables, from a loop in Node; for the token request, the signature alone',
  serves: () => true,
  async start(environment) {
    const task = startTask<BaselineJob, LoadResult>('peers/baseline-sql-task.ts');
    return {
      pids: [task.pid],
      run(scenario, connections, seconds, onBegin) {
        const job = {
          connection: environment.connection,
          baseline: scenario.baseline(environment),
          connections,
          seconds,
        };
        return task.execute(job, onBegin);
      },
      stop: task.stop,
    };
  },
};
