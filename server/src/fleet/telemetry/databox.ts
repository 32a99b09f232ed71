import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import { textParameter } from '../../platform/http/path-parameter.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';

/** A box, and the vehicle that it is installed in. */
export const DataboxSchema = Type.Object(
  {
    serial: Type.String({ maxLength: 64, examples: ['BX-0001'] }),
    vehicleId: Type.String({
      maxLength: maxVehicleIdLength,
      examples: [exampleVehicle.asset.id],
    }),
    pairedAt: Type.String({ format: 'date-time', description: 'Since when it is paired.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last overwritten.' }),
  },
  { $id: 'Databox', additionalProperties: false },
);
type Databox = Static<typeof DataboxSchema>;

export const exampleDatabox: Databox = {
  serial: 'BX-0001',
  vehicleId: exampleVehicle.asset.id,
  pairedAt: '2026-10-01T09:00:00.000Z',
  updatedAt: '2026-10-01T09:00:00.000Z',
};

export const { etagHeader, ifMatchHeader, changedMeanwhile, conditionHeaders, conditionFailed } =
  etagTexts('pairing');

export const serialParameter = {
  serial: textParameter(
    64,
    'The serial number of the box: 1 to 64 letters, digits or any of . _ -.',
    exampleDatabox.serial,
  ),
};

export const databoxFields = fieldsOf({
  serial: ['text', 'd.serial'],
  vehicleId: ['text', 'd.vehicle_id'],
  pairedAt: ['date-time', 'd.paired_at'],
  updatedAt: ['date-time', 'd.updated_at'],
});

export const databoxColumns = 'd.serial, d.version, d.vehicle_id, d.paired_at, d.updated_at';

export type DataboxRow = {
  serial: string;
  version: number;
  vehicle_id: string;
  paired_at: string;
  updated_at: string;
};

export function databoxOf({ serial, vehicle_id, paired_at, updated_at }: DataboxRow): Databox {
  return { serial, vehicleId: vehicle_id, pairedAt: paired_at, updatedAt: updated_at };
}
