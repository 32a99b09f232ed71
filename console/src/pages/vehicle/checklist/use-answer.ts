import { type ChecklistEntry, eTagOf } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

export type Answer = Pick<ChecklistEntry, 'value' | 'result' | 'comment'>;

/** Answers an entry: at once on the screen, and undone with a reason if it fails, or if somebody else was first. */
export function useAnswer(vehicleId: string, shown: ChecklistEntry) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const key = queryKey('checklist-entry', 'of-vehicle', vehicleId);
  const show = (next: ChecklistEntry) =>
    queries.setQueryData<ChecklistEntry[]>(key, (all) =>
      all?.map((one) => (one.id === next.id ? next : one)),
    );
  // As the service has it: while answers are being sent, the screen is ahead of it.
  const saved = useRef(shown);
  const { mutate, isPending } = useMutation({
    // An answer that is put right at once follows the one before.
    scope: { id: `checklist-entry ${shown.id}` },
    mutationFn: async (answer: Partial<Answer>) => {
      const entry = saved.current;
      // A list has no versions: it is read once more, and must be what is on the screen.
      const read = await fleet.checklist.get(vehicleId, entry.id);
      const eTag = eTagOf(read) as string;
      const ifMatch = read.updatedAt === entry.updatedAt ? eTag : '"changed"';
      return fleet.checklist.put(vehicleId, entry.id, answered(entry, answer), { ifMatch });
    },
    onMutate: (answer) => {
      // Not waited for: the answer is on the screen at once.
      void queries.cancelQueries({ queryKey: key });
      show(answered(shown, answer));
    },
    onSuccess: (entry) => {
      saved.current = entry;
      show(entry);
    },
    onError: (error) => {
      show(saved.current);
      notifyProblem(error, texts);
      void queries.invalidateQueries({ queryKey: key });
    },
  });
  const answer = (next: Partial<Answer>) => {
    if (!isPending) saved.current = shown;
    mutate(next);
  };
  return { answer };
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
