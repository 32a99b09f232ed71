import { type ChecklistEntry, eTagOf, ProblemError } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

export type Answer = Pick<ChecklistEntry, 'value' | 'result' | 'comment'>;

/** Answers an entry: at once on the screen, and undone with a reason if somebody else was first. */
export function useAnswer(vehicleId: string, entry: ChecklistEntry) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const key = queryKey('checklist-entry', 'of-vehicle', vehicleId);
  const show = (next: ChecklistEntry) =>
    queries.setQueryData<ChecklistEntry[]>(key, (all) =>
      all?.map((one) => (one.id === entry.id ? next : one)),
    );
  const { mutate, isPending } = useMutation({
    mutationFn: async (answer: Partial<Answer>) => {
      // A list has no versions: it is read once more, and must be what is on the screen.
      const read = await fleet.checklist.get(vehicleId, entry.id);
      const eTag = eTagOf(read) as string;
      const ifMatch = read.updatedAt === entry.updatedAt ? eTag : '"changed"';
      return fleet.checklist.put(vehicleId, entry.id, answered(entry, answer), { ifMatch });
    },
    onMutate: (answer) => {
      // Not waited for: the answer is on the screen at once.
      void queries.cancelQueries({ queryKey: key });
      show(answered(entry, answer));
    },
    onSuccess: show,
    onError: (error) => {
      show(entry);
      notifyProblem(error, texts);
      if (error instanceof ProblemError && error.status === 412)
        void queries.invalidateQueries({ queryKey: key });
    },
  });
  return { answer: mutate, isPending };
}

/** Without a result it is not answered. */
function answered(entry: ChecklistEntry, answer: Partial<Answer>): ChecklistEntry {
  const { value, result, comment, performedAt, customer, ...kept } = entry;
  const next = { value, result, comment, ...answer };
  return {
    ...kept,
    ...(customer && { customer }),
    ...(next.value !== undefined && { value: next.value }),
    ...(next.comment && { comment: next.comment }),
    ...(next.result && {
      result: next.result,
      performedAt: answer.result || !performedAt ? new Date().toISOString() : performedAt,
    }),
  };
}
