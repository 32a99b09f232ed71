import { recordEvents } from '../record-events.ts';
import { exampleProfile, ProfileSchema } from './profile.ts';
import { type ProfileRow, profileColumns, profileOf } from './profile-store.ts';

export const profileEvents = recordEvents<Omit<ProfileRow, 'version'>>({
  type: 'profile',
  name: 'Profile',
  description: 'The profile of the asset provider.',
  kinds: ['updated'],
  table: 'provider_profiles',
  alias: 'f',
  columns: `image.state ->> 'name' as name, ${profileColumns}`,
  resource: (row, { providerId }) => profileOf(row, providerId),
  subject: () => '/profile',
  schema: ProfileSchema,
  example: exampleProfile,
});
