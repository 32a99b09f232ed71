import { Worker } from 'node:worker_threads';
import { moduleFile } from '../../../platform/isolation/module-file.ts';
import type { RecognisedDocument } from '../../../platform/text-recognition/recognised-document.ts';
import type { Suggestion, SuggestionContext } from './suggestions.ts';

export type SuggestionInput = { document: RecognisedDocument; context: SuggestionContext };

/** As `suggestionsOf`, in a thread of its own: comparing all words with all labels would hold up requests. */
export function suggest(
  document: RecognisedDocument,
  context: SuggestionContext,
): Promise<Suggestion[]> {
  const workerData: SuggestionInput = { document, context };
  const thread = new Worker(moduleFile(import.meta.dirname, 'suggestions-worker.ts'), {
    workerData,
  });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that makes suggestions has ended')));
  });
}
