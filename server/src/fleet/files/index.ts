import { announceFile } from './announce-file.ts';
import { downloadFile } from './download-file.ts';
import { fileOwners } from './file-owner.ts';
import { removeFile } from './remove-file.ts';
import { uploadFile } from './upload-file.ts';

/** Each for every owner: the paths have the owner's word in them, as the published one has. */
export const fileOperations = [announceFile, uploadFile, downloadFile, removeFile].flatMap((make) =>
  fileOwners.map(make),
);
