import Type from 'typebox';
import { type CustomerData, readOfCustomer } from '../customer-data.ts';
import { type Blob, eraseEntries, withBlobs } from '../files/public.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';
import { ChecklistEntrySchema, exampleEntry } from './checklist-entry.ts';
import { type ChecklistRow, checklistColumns, entryOf } from './checklist-fields.ts';

const VehicleChecklistEntrySchema = Type.Object(
  {
    vehicleId: Type.String({
      maxLength: maxVehicleIdLength,
      description: 'The vehicle that it is about.',
      examples: [exampleVehicle.asset.id],
    }),
    ...ChecklistEntrySchema.properties,
  },
  { $id: 'VehicleChecklistEntry', additionalProperties: false },
);

const entries = {
  columns: `e.vehicle_id, ${checklistColumns}`,
  from: 'checklist_entries e',
  defaultOrder: ['e.updated_at desc'],
  id: 'e.id',
};

type CustomerRow = ChecklistRow & { vehicle_id: string; blobs?: Blob[] };

function itemOf(row: CustomerRow) {
  const { vehicle_id: vehicleId, blobs } = row;
  return { vehicleId, ...entryOf(row), ...(blobs && { blobs }) };
}

export const customerChecklist: CustomerData = {
  tables: ['checklist_entries'],
  records: {
    name: 'checklist',
    description: 'The checklist entries that name the customer, the last that was written first.',
    schema: VehicleChecklistEntrySchema,
    example: { vehicleId: exampleVehicle.asset.id, ...exampleEntry },
    async read(tx, provider, customer, limit, budget) {
      const found = await readOfCustomer<CustomerRow>(tx, entries, 'e', customer, limit, budget);
      const rows = await withBlobs(tx, provider, 'checklist', found.rows, budget);
      return { rows, itemOf, totalEntries: found.totalEntries };
    },
  },
  // The title is what is asked of the vehicle, not of a person.
  erase: eraseEntries(
    'checklist_entries',
    'checklist',
    `comment = null, value = case when type <> 'text' then value end`,
  ),
};
