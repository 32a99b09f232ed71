import { findUsers } from './find-users.ts';

export const userOperations = [findUsers];
