export { announce } from './announce-file.ts';
export { type Blob, BlobsSchema, exampleBlob, maxFiles } from './blob.ts';
export { blobFields, blobsColumn, deleteWithBlobs, withBlobs } from './blob-store.ts';
export { addDemoFiles, type DemoFile, storeDemoObjects } from './demo/add-demo-files.ts';
export { workshopPaper } from './demo/workshop-paper.ts';
export { eraseEntries } from './erase-entries.ts';
export { fileOperations } from './file-operations.ts';
export {
  limitSize,
  releaseObjects,
  selectReferencedObjects,
  storageProblem,
  storeObjects,
  withTemporaryObject,
} from './stored-objects.ts';
export { attachObject, requirePlainBytes } from './upload-file.ts';
