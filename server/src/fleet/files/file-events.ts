import { recordEvents } from '../record-events.ts';
import { type Blob, BlobSchema, exampleBlob } from './blob.ts';

export const fileEvents = recordEvents<Blob>({
  type: 'file',
  name: 'File',
  description:
    'A file of an entry: `created` when it is announced, `updated` when its bytes are uploaded. Its subject tells the entry.',
  table: 'blobs',
  alias: 'b',
  columns: 'b.uuid, b.filename, b.uploaded_at is not null as uploaded',
  resource: ({ uuid, filename, uploaded }) => ({ uuid, filename, uploaded }),
  subject: (path, vehicleId) => `${vehicleId === null ? '' : `/${vehicleId}`}/blobs/${path}`,
  schema: BlobSchema,
  example: exampleBlob,
});
