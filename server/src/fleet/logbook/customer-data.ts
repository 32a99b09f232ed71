import Type from 'typebox';
import { type CustomerData, readOfCustomer } from '../customer-data.ts';
import { type Blob, eraseEntries, withBlobs } from '../files/public.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';
import { exampleEntry, LogbookEntrySchema } from './logbook-entry.ts';
import { entryOf, type LogbookRow, logbookColumns } from './logbook-fields.ts';

const VehicleLogbookEntrySchema = Type.Object(
  {
    vehicleId: Type.String({
      maxLength: maxVehicleIdLength,
      description: 'The vehicle that it is about.',
      examples: [exampleVehicle.asset.id],
    }),
    ...LogbookEntrySchema.properties,
  },
  { $id: 'VehicleLogbookEntry', additionalProperties: false },
);

const entries = {
  columns: `e.vehicle_id, ${logbookColumns}`,
  from: 'logbook_entries e',
  defaultOrder: ['e.date desc', 'e.created_at desc'],
  id: 'e.id',
};

type CustomerRow = LogbookRow & { vehicle_id: string; blobs?: Blob[] };

function itemOf(row: CustomerRow) {
  const { vehicle_id: vehicleId, blobs } = row;
  return { vehicleId, ...entryOf(row), ...(blobs && { blobs }) };
}

export const customerLogbook: CustomerData = {
  tables: ['logbook_entries'],
  records: {
    name: 'logbook',
    description: 'The logbook entries that name the customer, the newest date first.',
    schema: VehicleLogbookEntrySchema,
    example: { vehicleId: exampleVehicle.asset.id, ...exampleEntry },
    async read(tx, provider, customer, limit, budget) {
      const found = await readOfCustomer<CustomerRow>(tx, entries, 'e', customer, limit, budget);
      const rows = await withBlobs(tx, provider, 'logbook', found.rows, budget);
      return { rows, itemOf, totalEntries: found.totalEntries };
    },
  },
  erase: eraseEntries(
    'logbook_entries',
    'logbook',
    `title = category, description = null, tags = '{}'`,
  ),
};
