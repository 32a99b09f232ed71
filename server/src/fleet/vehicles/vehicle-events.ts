import Type from 'typebox';
import { recordEvents } from '../record-events.ts';
import { exampleVehicle } from './example-vehicle.ts';
import { AssetSchema, InformationSchema } from './vehicle.ts';
import { storedItem } from './vehicle-item.ts';

const { asset, information } = exampleVehicle;

export const vehicleEvents = recordEvents<{ item: string }>({
  type: 'vehicle',
  name: 'Vehicle',
  description:
    'A vehicle without its status, which changes with every message: `vehicle.status.v1` has it.',
  table: 'vehicles',
  alias: 'v',
  columns: `${storedItem()} || '}' as item`,
  resource: ({ item }) => JSON.parse(item),
  subject: (id) => `/${id}`,
  schema: Type.Object(
    { asset: AssetSchema, information: InformationSchema },
    { additionalProperties: false },
  ),
  example: { asset, information },
});
