import Type, { type Static } from 'typebox';
import { maxFilenameLength } from '../announced-file.ts';

/** Of an entry. */
export const maxFiles = 200;

/** A file of an entry: announced first, then uploaded. */
export const BlobSchema = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    filename: Type.String({ maxLength: maxFilenameLength, examples: ['invoice.pdf'] }),
    uploaded: Type.Boolean({
      default: false,
      description: 'Whether the file has been uploaded to storage.',
    }),
  },
  { $id: 'AttachedFile', additionalProperties: false },
);
export type Blob = Static<typeof BlobSchema>;

export const BlobsSchema = Type.Optional(
  Type.Array(BlobSchema, {
    maxItems: maxFiles,
    description: 'Its files, in the order of their announcement; absent when there are none.',
  }),
);

export const exampleBlob: Blob = {
  uuid: '3f2b8c1e-5d4a-4b6f-9a7e-0c1d2e3f4a5b',
  filename: 'invoice.pdf',
  uploaded: true,
};
