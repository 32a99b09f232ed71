import type { Module } from '../module.ts';
import { seedProfile } from './demo/seed-profile.ts';
import { getProfile } from './get-profile.ts';
import { profileEvents } from './profile-events.ts';
import { putProfile } from './put-profile.ts';

export const profile: Module = {
  name: 'profile',
  tag: {
    name: 'Asset Provider',
    description: 'The asset provider itself: who it is, and the defaults of its fleet.',
  },
  operations: [getProfile, putProfile],
  recordEvents: [profileEvents],
  demo: seedProfile,
};
