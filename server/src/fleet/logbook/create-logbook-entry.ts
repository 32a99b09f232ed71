import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { currencyIssues } from '../cost.ts';
import type { Dependencies } from '../dependencies.ts';
import { heldOffDeletion, vehicleIdParameter } from '../vehicles/public.ts';
import {
  etagHeader,
  exampleNewEntry,
  exampleRequest,
  LogbookEntryRequestSchema,
  LogbookEntrySchema,
} from './logbook-entry.ts';
import { entryOf, type LogbookRow, logbookColumns } from './logbook-fields.ts';
import { writtenColumns, writtenValues } from './logbook-store.ts';

export const createLogbookEntry = operation({
  id: 'createLogbookEntry',
  method: 'POST',
  path: '/{vehicleId}/logbook',
  tag: 'Logbook',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Write an entry into the logbook of a vehicle',
  description:
    'Adds an entry. Its files are announced and uploaded afterwards. An odometer that does not fit the other entries is kept as ' +
    'it was sent: entries are also written late.',
  parameters: vehicleIdParameter,
  body: {
    schema: LogbookEntryRequestSchema,
    required: true,
    rules: currencyIssues,
    examples: {
      service: { summary: 'A service', value: exampleRequest },
      refund: {
        summary: 'A refund',
        value: {
          date: '2026-11-02',
          category: 'toll',
          title: 'Toll paid twice',
          cost: { amount: -1_280, currency: 'EUR' },
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The entry, new.',
      schema: LogbookEntrySchema,
      example: exampleNewEntry,
      headers: { Location: 'The path of the entry.', ...etagHeader },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, body }, { db, clock }: Dependencies) {
    const [row] = await db.query<LogbookRow>(insertEntry, [
      provider.id,
      vehicleId,
      clock.now(),
      ...writtenValues(body),
    ]);
    if (!row) throw notFound('vehicle');
    const location = locationOf(provider, vehicleId, 'logbook', row.id);
    return {
      status: 201,
      headers: { location, etag: etagOf(row.version) },
      body: entryOf(row),
    };
  },
});

// Locks the vehicle: a concurrent deletion leads to a 404 rather than to a violated foreign key.
const insertEntry = `
  insert into logbook_entries as e
    (provider, vehicle_id, created_at, updated_at, ${writtenColumns.map(([name]) => name).join(', ')})
  select provider, id, $3::timestamptz, $3::timestamptz, ${writtenColumns.map(([, type], index) => `$${index + 4}::${type}`).join(', ')}
  from vehicles where provider = $1 and id = $2 and ${heldOffDeletion('$1', '$2::text')} for key share
  returning ${logbookColumns}`;
