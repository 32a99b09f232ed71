export { type Blob, BlobSchema, BlobsSchema, exampleBlob } from './blob.ts';
export { blobFields, blobsColumn, deleteWithBlobs, withBlobs } from './blob-store.ts';
export { fileOperations } from './file-operations.ts';
