export {
  type Blob,
  BlobSchema,
  blobFields,
  blobsColumn,
  blobsOf,
  deleteBlobs,
  discardBytes,
  exampleBlob,
} from './blob.ts';
export { fileOperations } from './file-operations.ts';
