/** What a tenant's statements are for; each has its own turns in the queue (docs/decisions/0027-fair-use.md). */
export const workloads = {
  /** Reads and writes of few records. */
  records: { share: 0.5, statementTimeoutMs: undefined },
  /** Searches and lists, whose cost grows with the data of the tenant. */
  search: { share: 0.25, statementTimeoutMs: 5_000 },
} satisfies Record<string, WorkloadLimits>;

export type WorkloadLimits = {
  /** The fraction of the connections that one tenant may hold at a time. */
  share: number;
  /** Shorter than the timeout of all statements. */
  statementTimeoutMs: number | undefined;
};

export type Workload = keyof typeof workloads;
