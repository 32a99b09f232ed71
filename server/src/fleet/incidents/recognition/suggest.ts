import { moduleFile } from '../../../platform/isolation/module-file.ts';
import { runInThread } from '../../../platform/isolation/run-in-thread.ts';
import type { ReadDocument } from '../../../platform/text-recognition/recognised-document.ts';
import type { Suggestion, SuggestionContext } from './suggestions.ts';

export type SuggestionInput = Pick<ReadDocument, 'json'> & { context: SuggestionContext };

/** As `suggestionsOf`, in a thread of its own, which the document is given away to: comparing all words with all labels would hold up requests. */
export function suggest(
  { json }: Pick<ReadDocument, 'json'>,
  context: SuggestionContext,
): Promise<Suggestion[]> {
  const input: SuggestionInput = { json, context };
  const file = moduleFile(import.meta.dirname, 'suggestions-worker.ts');
  return runInThread(file, input, [json.buffer]);
}
