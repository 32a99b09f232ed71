import { recordEvents } from '../record-events.ts';
import {
  type DataboxRow,
  DataboxSchema,
  databoxColumns,
  databoxOf,
  exampleDatabox,
} from './databox.ts';

export const databoxEvents = recordEvents<DataboxRow>({
  type: 'databox',
  name: 'Databox',
  description: 'A box, and the vehicle that it is paired with.',
  table: 'databoxes',
  alias: 'd',
  columns: databoxColumns,
  resource: databoxOf,
  subject: (serial) => `/databoxes/${serial}`,
  schema: DataboxSchema,
  example: exampleDatabox,
});
