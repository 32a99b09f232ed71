import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagHeader, exampleProfile, ProfileSchema } from './profile.ts';
import { readProfile } from './profile-store.ts';

export const getProfile = operation({
  id: 'getProfile',
  method: 'GET',
  path: '/profile',
  tag: 'Asset Provider',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read the profile of the asset provider',
  description:
    'Returns what the asset provider says of itself and the defaults of its fleet. What it does not tell has a default by its country, ' +
    'also while no profile was ever written.',
  parameters: {},
  responses: {
    200: {
      description: 'The profile.',
      schema: ProfileSchema,
      example: exampleProfile,
      headers: etagHeader,
    },
  },
  notFound: [],
  async handler({ provider }, { db }: Dependencies) {
    const { profile, version } = await readProfile(db, provider.id);
    return { status: 200, headers: { etag: etagOf(version) }, body: profile };
  },
});
