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
export { addDemoFiles, type DemoFile } from './demo/add-demo-files.ts';
export { workshopPaper } from './demo/workshop-paper.ts';
export { fileOperations } from './file-operations.ts';
