import type { Module } from '../module.ts';
import { deleteBytesJob } from './delete-bytes.ts';
import { fileEvents } from './file-events.ts';
import { sweepBytesJob } from './sweep-bytes.ts';

/** The operations are made for each owner of files. */
export const files: Module = {
  name: 'files',
  tag: {
    name: 'Files',
    description: 'Files of entries such as incidents: announced, then uploaded.',
  },
  operations: [],
  recordEvents: [fileEvents],
  jobs: [deleteBytesJob, sweepBytesJob],
  // What a crash left behind is removed at the next start, not only at the next hour.
  start: async ({ db, jobs }, { runsJobs }) => {
    if (runsJobs) await jobs.add(db, sweepBytesJob, {});
  },
};
