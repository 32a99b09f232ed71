import type { Invoice } from '@motorpool/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';

const waitMs = 2_000;

/** What was recognised in the document of a draft; asked for again until it is there. */
export function useRecognition(invoice: Invoice) {
  const fleet = useFleet();
  return queryOptions({
    queryKey: queryKey('invoice', 'recognition', invoice.id),
    queryFn: ({ signal }) => fleet.invoices.getOcr(invoice.id, { signal }),
    enabled: invoice.status === 'draft',
    refetchInterval: ({ state }) => (state.data?.status === 'PROCESSING' ? waitMs : false),
  });
}
