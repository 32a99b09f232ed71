import { type ChecklistEntry, eTagOf } from '@motorpool/client';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

export type Answer = Pick<ChecklistEntry, 'value' | 'result' | 'comment'>;

/** Answers an entry in the version that somebody has seen, if that is not the one on the screen. */
export type OnAnswer = (answer: Partial<Answer>, seen?: ChecklistEntry) => void;

/**
 * Answers an entry: at once on the screen, and undone with a reason if it fails, or if somebody else was first. One's own
 * answers, which may still be on their way, do not count as those of somebody else.
 */
export function useAnswer(vehicleId: string, shown: ChecklistEntry) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const key = queryKey('checklist-entry', 'of-vehicle', vehicleId);
  const show = (next: ChecklistEntry) =>
    queries.setQueryData<ChecklistEntry[]>(key, (all) =>
      all?.map((one) => (one.id === next.id ? next : one)),
    );
  const answers = answersOf(queries, shown);
  const mutationKey = ['answer', shown.id];
  const { mutate } = useMutation({
    mutationKey,
    // An answer that is put right at once follows the one before.
    scope: { id: `checklist-entry ${shown.id}` },
    mutationFn: async ({ answer, seen }: { answer: Partial<Answer>; seen: ChecklistEntry }) => {
      // A list has no versions: it is read once more, and must be what was seen, or what came of it.
      const read = await fleet.checklist.get(vehicleId, seen.id);
      const eTag = eTagOf(read) as string;
      const isSeen = read.updatedAt === latestOf(answers.versions, seen.updatedAt);
      const ifMatch = isSeen ? eTag : '"changed"';
      const entry = await fleet.checklist.put(vehicleId, seen.id, answered(read, answer), {
        ifMatch,
      });
      if (entry.updatedAt !== read.updatedAt) answers.versions.set(read.updatedAt, entry.updatedAt);
      return entry;
    },
    onMutate: ({ answer }) => {
      // Not waited for: the answer is on the screen at once.
      void queries.cancelQueries({ queryKey: key });
      show(answered(shown, answer));
    },
    onSuccess: (entry) => {
      answers.saved = entry;
      // Otherwise the screen is ahead of it.
      if (queries.isMutating({ mutationKey }) === 1) show(entry);
    },
    onError: (error) => {
      show(answers.saved);
      notifyProblem(error, texts);
      void queries.invalidateQueries({ queryKey: key });
    },
  });
  const answer: OnAnswer = (next, seen = shown) => {
    if (queries.isMutating({ mutationKey }) === 0) answers.saved = shown;
    mutate({ answer: next, seen });
  };
  return { answer };
}

type Answers = {
  /** As the service has it: while answers are being sent, the screen is ahead of it. */
  saved: ChecklistEntry;
  /** By the versions that were answered here, those that came of it. */
  versions: Map<string, string>;
};

const answersByEntry = new WeakMap<QueryClient, Map<string, Answers>>();

/** Of all fields of an entry, also of those that appear or move by an answer. */
function answersOf(queries: QueryClient, entry: ChecklistEntry): Answers {
  const known = answersByEntry.get(queries) ?? new Map<string, Answers>();
  answersByEntry.set(queries, known);
  const answers = known.get(entry.id) ?? { saved: entry, versions: new Map() };
  known.set(entry.id, answers);
  return answers;
}

function latestOf(versions: ReadonlyMap<string, string>, version: string): string {
  const next = versions.get(version);
  return next === undefined ? version : latestOf(versions, next);
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
