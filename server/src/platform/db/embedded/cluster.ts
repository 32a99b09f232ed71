import type { Account } from './account.ts';

/** One PostgreSQL data folder and the programs that run it. */
export type Cluster = {
  dataDir: string;
  pgData: string;
  logFile: string;
  programs: string;
  account: Account | undefined;
  /** Server parameters beyond ours; the tests turn fsync off with it. */
  parameters: Record<string, string>;
};
