import { eTagOf, type Invoice, type InvoiceRequest } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';

type Change = { body: InvoiceRequest; done: string };

/**
 * Overwrites an invoice: at once on the screen, and undone if the service refuses. A form gives the version that it
 * was opened with, so that nobody's change is lost.
 */
export function useSaveInvoice(invoice: Invoice, onSaved: () => void) {
  const fleet = useFleet();
  const queries = useQueryClient();
  const key = queryKey('invoice', 'one', invoice.id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ body }: Change) =>
      fleet.invoices.put(invoice.id, body, { ifMatch: eTagOf(invoice) as string }),
    onMutate: async ({ body }) => {
      await queries.cancelQueries({ queryKey: key });
      if (body.status) queries.setQueryData(key, { ...invoice, status: body.status });
    },
    onSuccess: (saved, { done }) => {
      queries.setQueryData(key, saved);
      notifyDone(done);
      onSaved();
    },
    onError: () => queries.setQueryData(key, invoice),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('invoice') }),
  });
  return {
    save: (body: InvoiceRequest, done: string) => mutate({ body, done }),
    isPending,
    error,
    /** Reads what somebody else has saved. */
    reload: () => {
      void queries.invalidateQueries({ queryKey: queryKey('invoice') });
      onSaved();
    },
  };
}
