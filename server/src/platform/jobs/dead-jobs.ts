/** The queue of jobs that were given up. */
export const deadQueue = 'dead';

/** Selects the jobs that were given up, as a table of its own. */
export const deadJobsTable = `(
  select id, source_name as job, data,
    coalesce(source_retry_count, 0) + 1 as tries,
    coalesce(source_created_on, created_on)::timestamptz(3) as created_at,
    created_on::timestamptz(3) as updated_at
  from pgboss.job where name = '${deadQueue}' and state in ('created', 'retry')
)`;
