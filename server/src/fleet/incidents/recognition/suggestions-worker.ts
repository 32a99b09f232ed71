import { parentPort, workerData } from 'node:worker_threads';
import { parseDocument } from '../../../platform/text-recognition/recognised-document.ts';
import type { SuggestionInput } from './suggest.ts';
import { suggestionsOf } from './suggestions.ts';

const { json, context } = workerData as SuggestionInput;
parentPort?.postMessage(suggestionsOf(parseDocument({ json }), context));
