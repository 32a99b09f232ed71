import { moduleFile } from '../../../platform/isolation/module-file.ts';
import { runInThread } from '../../../platform/isolation/run-in-thread.ts';
import type {
  ReadDocument,
  RecognisedDocument,
} from '../../../platform/text-recognition/recognised-document.ts';
import { type VehicleHints, vehicleHints } from '../documents/vehicle-hints.ts';
import {
  linesOfDocument,
  receiptSuggestions,
  type Suggestion,
  suggestionOf,
} from './receipt-suggestions.ts';

/** What a line may name, and what it then suggests. */
export type NamedVehicle = { hints: VehicleHints; suggestion: Suggestion };

export type Receipt = { suggestions: Suggestion[]; vehicles: NamedVehicle[] };

/** Of all lines together: more than the pages of a receipt have, and few enough to look up. */
const maxHints = 10_000;

export function receiptOf(document: RecognisedDocument): Receipt {
  const lines = linesOfDocument(document);
  const vehicles: NamedVehicle[] = [];
  let left = maxHints;
  for (const line of lines) {
    const hints = vehicleHints([line.text.toUpperCase()]);
    const count = hints.vins.size + hints.plates.size;
    left -= count;
    if (left < 0) break;
    if (count > 0) vehicles.push({ hints, suggestion: suggestionOf(line, 'vehicleId', '', 0.95) });
  }
  return { suggestions: receiptSuggestions(lines), vehicles };
}

/** As `receiptOf`, in a thread of its own, which the document is given away to: whoever made it decides how long it takes. */
export function readReceipt({ json }: Pick<ReadDocument, 'json'>): Promise<Receipt> {
  const file = moduleFile(import.meta.dirname, 'receipt-worker.ts');
  return runInThread(file, { json }, [json.buffer]);
}
