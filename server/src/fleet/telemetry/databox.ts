import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../platform/search/field.ts';
import { exampleVehicle } from '../vehicles/public.ts';

/** A box, and the vehicle that it is built into. */
export const DataboxSchema = Type.Object(
  {
    serial: Type.String({ examples: ['BX-0001'] }),
    vehicleId: Type.String({ examples: [exampleVehicle.asset.id] }),
    pairedAt: Type.String({ format: 'date-time', description: 'Since when it is paired.' }),
  },
  { $id: 'Databox', additionalProperties: false },
);
type Databox = Static<typeof DataboxSchema>;

export const exampleDatabox: Databox = {
  serial: 'BX-0001',
  vehicleId: exampleVehicle.asset.id,
  pairedAt: '2026-10-01T09:00:00.000Z',
};

export const serialParameter = {
  serial: {
    description: 'The serial number of the box: 1 to 64 letters, digits or any of . _ -.',
    example: exampleDatabox.serial,
  },
};

export const databoxFields = fieldsOf({
  serial: ['text', 'd.serial'],
  vehicleId: ['text', 'd.vehicle_id'],
  pairedAt: ['date-time', 'd.paired_at'],
});

export const databoxColumns = 'd.serial, d.vehicle_id, d.paired_at';

export type DataboxRow = { serial: string; vehicle_id: string; paired_at: string };

export function databoxOf({ serial, vehicle_id, paired_at }: DataboxRow): Databox {
  return { serial, vehicleId: vehicle_id, pairedAt: paired_at };
}
