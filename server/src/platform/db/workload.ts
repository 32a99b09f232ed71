/** What a tenant's statements are for; each has its own turns in the queue (docs/decisions/0027-fair-use.md). */
export const workloads = {
  /** Reads and writes of few records. */
  records: { share: 0.5, longMs: undefined, statementTimeoutMs: undefined },
  /** Searches and lists, whose cost grows with the data of the tenant. */
  search: { share: 0.25, longMs: 100, statementTimeoutMs: 5_000 },
  /** Writes of many records in one transaction. */
  batch: { share: 0.25, longMs: 100, statementTimeoutMs: undefined },
} satisfies Record<string, WorkloadLimits>;

export type WorkloadLimits = {
  /** The fraction of the connections that one tenant may hold at a time. */
  share: number;
  /** From which average time of its statements on it may hold one alone. */
  longMs: number | undefined;
  /** Shorter than the timeout of all statements. */
  statementTimeoutMs: number | undefined;
};

export type Workload = keyof typeof workloads;
