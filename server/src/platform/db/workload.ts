/** The fraction of the connections that one tenant may hold at a time, by all of its workloads that are not apart. */
export const shareOfTenant = 0.5;

/** What a tenant's statements are for; each has its own turns in the queue (docs/decisions/0027-fair-use.md). */
export const workloads = {
  /** Reads and writes of few records. What is long here may also wait: for a lock, or for a distant database. */
  records: {
    share: 0.5,
    contended: { fromMs: 30, share: 0.2 },
    long: { fromMs: 500, share: 0.2 },
    statementTimeoutMs: undefined,
  },
  /** Searches and lists, whose cost grows with the data of the tenant. */
  search: {
    share: 0.25,
    long: { fromMs: 100, share: 0 },
    statementTimeoutMs: 5_000,
    sharesNoLookups: true,
  },
  /** Writes of many records in one transaction. */
  batch: { share: 0.25, long: { fromMs: 100, share: 0 }, statementTimeoutMs: undefined },
  /** Jobs of a tenant. Apart from its batches, whose senders would be refused while a step waits for a lock. */
  jobs: {
    share: 0.25,
    long: { fromMs: 100, share: 0 },
    statementTimeoutMs: undefined,
    isApart: true,
  },
  /** The service's own statements, such as those of jobs for all providers and of sign-ins. */
  internal: {
    share: 0.5,
    long: undefined,
    statementTimeoutMs: undefined,
    isApart: true,
    isService: true,
  },
} satisfies Record<string, WorkloadLimits>;

export type WorkloadLimits = {
  /** The fraction of the connections that one tenant may hold at a time; one at least. */
  share: number;
  /** The smaller fraction while its statements take this long and longer on average. */
  long: { fromMs: number; share: number } | undefined;
  /** The same while another tenant holds connections: two with half each could keep all processors busy. */
  contended?: { fromMs: number; share: number };
  /** Shorter than the timeout of all statements. */
  statementTimeoutMs: number | undefined;
  /** A tenant's lookups share no statement with those of others, who would wait for them: what they cost is up to the tenant. */
  sharesNoLookups?: true;
  /** Statements that nobody competes with: those of the service itself. */
  isService?: true;
  /** Its connections are none of those that the other workloads of the tenant hold together. */
  isApart?: true;
};

export type Workload = keyof typeof workloads;
