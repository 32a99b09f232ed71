import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ProfileField } from '../events.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleProfile,
  exampleRequest,
  ifMatchHeader,
  ProfileRequestSchema,
  ProfileSchema,
  profileIssues,
} from './profile.ts';
import { readProfile, writeProfile } from './profile-store.ts';

export const putProfile = operation({
  id: 'putProfile',
  method: 'PUT',
  path: '/profile',
  tag: 'Asset Provider',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Overwrite the profile of the asset provider',
  description:
    'What the body leaves out is cleared, and a default by the country of the asset provider stands in for it where there is one. ' +
    'When the default class, the default usage or the time zone change, the inspections of the fleet are estimated again within moments.',
  parameters: {},
  requestHeaders: ifMatchHeader,
  body: {
    schema: ProfileRequestSchema,
    required: true,
    rules: profileIssues,
    examples: {
      complete: { summary: 'All that can be told', value: exampleRequest },
      name: { summary: 'The name alone', value: { name: 'Hafen Mobil' } },
    },
  },
  responses: {
    200: {
      description: 'The profile, overwritten.',
      schema: ProfileSchema,
      example: exampleProfile,
      headers: etagHeader,
    },
  },
  notFound: [],
  problems: changedMeanwhile,
  handler({ provider, header, body }, { db, events, clock }: Dependencies) {
    return db.transaction(async (tx) => {
      // Also makes concurrent writers of the profile wait, before there is one to lock.
      await tx.query('update providers set name = $2 where id = $1', [provider.id, body.name]);
      const { profile: before } = await readProfile(tx, provider.id);
      const version = await writeProfile(tx, provider.id, body, clock.now());
      requireMatch(header('if-match'), version - 1);
      const { profile } = await readProfile(tx, provider.id);
      const fields = publishedFields.filter((field) => before[field] !== profile[field]);
      await events.publish(tx, 'profileChanged', { providerId: provider.id, fields });
      return { status: 200, headers: { etag: etagOf(version) }, body: profile };
    });
  },
});

const publishedFields: readonly ProfileField[] = [
  'timeZone',
  'defaultVehicleClass',
  'defaultUsage',
];
