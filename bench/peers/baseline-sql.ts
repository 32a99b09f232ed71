import type { Connection } from '../database.ts';
import type { LoadResult } from '../load/load.ts';
import { startTask } from '../processes.ts';
import type { Bare } from '../scenarios.ts';
import type { Peer } from './peer.ts';

export type BareJob = {
  connection: Connection;
  bare: Bare;
  connections: number;
  seconds: number;
};

/** The limit of the database: the best statement for a line, prepared, without HTTP. */
export const bareSqlPeer: Peer = {
  name: 'bare SQL',
  note: 'the best statement that we know for the line, on the same tables, from a loop in Node; for the token request, the bare signature',
  serves: () => true,
  async start(bed) {
    const task = startTask<BareJob, LoadResult>('peers/bare-sql-task.ts');
    return {
      pids: [task.pid],
      run(line, connections, seconds, onBegin) {
        const job = { connection: bed.connection, bare: line.bare(bed), connections, seconds };
        return task.ask(job, onBegin);
      },
      stop: task.stop,
    };
  },
};
