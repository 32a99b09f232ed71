import type { Module } from '../module.ts';
import { findUsers } from './find-users.ts';

export const users: Module = {
  name: 'users',
  tag: { name: 'Users', description: 'The customers who drive vehicles of an asset provider.' },
  operations: [findUsers],
};
