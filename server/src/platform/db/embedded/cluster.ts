import type { Account } from './account.ts';

/** One PostgreSQL data folder and the programs that run it. */
export type Cluster = {
  dataDir: string;
  pgData: string;
  logFile: string;
  programs: string;
  account: Account | undefined;
  /** Additional server parameters, such as fsync=off in tests. */
  parameters: Record<string, string>;
};
