import { Readable } from 'node:stream';
import { createTenantSlots, type TenantSlots } from '../../../platform/tenant-slots.ts';
import { bytesOfFormat, recogniseDocument } from './recognise-document.ts';

/** Of different providers. Documents are read whole, PDFs in processes: as many as memory is meant for. */
export const documentsAtOnce = 3;
const turns = {
  share: 1,
  maxWaiting: 300,
  maxWaitingOfTenant: 100,
  // So that the upload is answered before its connection, which is silent meanwhile, is closed.
  maxWaitMs: 60_000,
  resource: 'the reading of documents',
};
const slots = createTenantSlots({ ...turns, slots: documentsAtOnce });
/** Of those that take a fraction of a second, which do not wait for others that take many: pictures, and XML of a usual size. */
const quickSlots = createTenantSlots({ ...turns, slots: documentsAtOnce });
const maxQuickXmlBytes = 262_144;

/** Where a document that starts with these bytes, and has so many, waits to be read. */
export function documentSlots(start: Buffer, size: number): TenantSlots {
  const format = recogniseDocument(start);
  const isQuick = format === 'xml' ? size <= maxQuickXmlBytes : format !== 'pdf';
  return isQuick ? quickSlots : slots;
}

/** An upload, and the bytes that tell its format once it has passed. */
export function keepStart(upload: Readable): { upload: Readable; bytes(): Buffer } {
  let start = Buffer.alloc(0);
  async function* passing() {
    for await (const chunk of upload) {
      if (start.length < bytesOfFormat)
        start = Buffer.concat([start, chunk.subarray(0, bytesOfFormat - start.length)]);
      yield chunk;
    }
  }
  return { upload: Readable.from(passing(), { objectMode: false }), bytes: () => start };
}
