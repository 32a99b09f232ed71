import type { FileOwner } from '../module.ts';
import { announceFile } from './announce-file.ts';
import { downloadFile } from './download-file.ts';
import { removeFile } from './remove-file.ts';
import { uploadFile } from './upload-file.ts';

/** The operations on the files of one kind of owner. */
export function fileOperations(owner: FileOwner) {
  return [announceFile, uploadFile, downloadFile, removeFile].map((make) => make(owner));
}
