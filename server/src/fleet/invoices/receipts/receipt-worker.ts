import { parentPort, workerData } from 'node:worker_threads';
import type { RecognisedDocument } from '../../../platform/text-recognition/recognised-document.ts';
import { receiptOf } from './read-receipt.ts';

parentPort?.postMessage(receiptOf(workerData as RecognisedDocument));
