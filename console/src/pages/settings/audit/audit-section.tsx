import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { Problem } from '../../../feedback/problem.tsx';
import { Bone, Delayed } from '../../../feedback/skeleton.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet, useSession } from '../../../session/connection.tsx';
import { Pager } from '../../../table/pager.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { SectionHeader } from '../section-header.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import classes from './audit.module.css';
import { AuditFilters } from './audit-filters.tsx';
import { auditPageSize, auditRequest } from './audit-request.ts';
import { AuditRow } from './audit-row.tsx';

const skeletonRows = [...'abcdef'];

export function AuditSection() {
  const { audit: words } = useTexts();
  const fleet = useFleet();
  const { provider } = useSession();
  const { search, change } = useSettingsSearch();
  const [open, setOpen] = useState<number>();
  const request = auditRequest(search, provider);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: queryKey('audit-event', request),
    queryFn: ({ signal }) => fleet.audit.find(request, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const total = data?.pagination.totalEntries ?? 0;
  return (
    <>
      <SectionHeader name="audit" />
      <AuditFilters />
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.card}>
          {data?.items.length === 0 ? (
            <EmptyState icon="history" {...words.none} />
          ) : (
            <ul className={classes.events} aria-busy={!data || isPlaceholderData}>
              {data ? (
                data.items.map((event) => (
                  <AuditRow
                    key={event.id}
                    event={event}
                    isOpen={open === event.id}
                    onToggle={() => setOpen(open === event.id ? undefined : event.id)}
                  />
                ))
              ) : (
                <Delayed>
                  {skeletonRows.map((key) => (
                    <li key={key} className={classes.loading}>
                      <Bone width="70%" />
                    </li>
                  ))}
                </Delayed>
              )}
            </ul>
          )}
        </div>
      )}
      {total > auditPageSize && (
        <Pager
          page={search.page ?? 0}
          size={auditPageSize}
          total={total}
          onPage={(next) => change({ ...(next > 0 && { page: next }) })}
        />
      )}
    </>
  );
}
