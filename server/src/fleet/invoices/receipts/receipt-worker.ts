import { parentPort, workerData } from 'node:worker_threads';
import {
  parseDocument,
  type ReadDocument,
} from '../../../platform/text-recognition/recognised-document.ts';
import { receiptOf } from './read-receipt.ts';

parentPort?.postMessage(receiptOf(parseDocument(workerData as Pick<ReadDocument, 'json'>)));
