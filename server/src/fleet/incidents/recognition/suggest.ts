import { moduleFile } from '../../../platform/isolation/module-file.ts';
import { runInThread } from '../../../platform/isolation/run-in-thread.ts';
import type { RecognisedDocument } from '../../../platform/text-recognition/recognised-document.ts';
import type { Suggestion, SuggestionContext } from './suggestions.ts';

export type SuggestionInput = { document: RecognisedDocument; context: SuggestionContext };

/** As `suggestionsOf`, in a thread of its own: comparing all words with all labels would hold up requests. */
export function suggest(
  document: RecognisedDocument,
  context: SuggestionContext,
): Promise<Suggestion[]> {
  const input: SuggestionInput = { document, context };
  return runInThread(moduleFile(import.meta.dirname, 'suggestions-worker.ts'), input);
}
