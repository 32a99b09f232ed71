import { parentPort, workerData } from 'node:worker_threads';
import type { SuggestionInput } from './suggest.ts';
import { suggestionsOf } from './suggestions.ts';

const { document, context } = workerData as SuggestionInput;
parentPort?.postMessage(suggestionsOf(document, context));
