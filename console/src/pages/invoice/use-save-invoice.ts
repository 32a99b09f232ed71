import { eTagOf, type Invoice, type InvoiceRequest } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';

/** With the version that it overwrites: the screen has another one by then. */
type Change = { invoice: Invoice; body: InvoiceRequest; done: string };

/**
 * Overwrites an invoice: at once on the screen, and undone if the service refuses. A form gives the version that it
 * was opened with, so that nobody's change is lost.
 */
export function useSaveInvoice(edited: Invoice, onSaved: () => void) {
  const fleet = useFleet();
  const queries = useQueryClient();
  const key = queryKey('invoice', 'one', edited.id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ invoice, body }: Change) =>
      // What is shown until it is saved has no version, and must not overwrite any.
      fleet.invoices.put(invoice.id, body, { ifMatch: eTagOf(invoice) ?? '"changed"' }),
    onMutate: async ({ invoice, body }) => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Invoice>(key);
      if (body.status) queries.setQueryData(key, { ...invoice, status: body.status });
      return before;
    },
    onSuccess: (saved, { done }) => {
      queries.setQueryData(key, saved);
      notifyDone(done);
      onSaved();
    },
    onError: (_error, _change, before) => queries.setQueryData(key, before),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('invoice') }),
  });
  return {
    save: (body: InvoiceRequest, done: string) => mutate({ invoice: edited, body, done }),
    isPending,
    error,
    /** Reads what somebody else has saved. */
    reload: () => {
      void queries.invalidateQueries({ queryKey: queryKey('invoice') });
      onSaved();
    },
  };
}
