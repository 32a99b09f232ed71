import Type from 'typebox';
import { ofVehicle, recordEvents } from '../record-events.ts';
import { type ChargingRow, chargingColumns, sessionOf } from './charging-fields.ts';
import { exampleReadSession, ReadChargingSessionSchema } from './charging-session.ts';

const { location: _, ...properties } = ReadChargingSessionSchema.properties;
const { location: _position, ...example } = exampleReadSession;

export const chargingEvents = recordEvents<ChargingRow>({
  type: 'charging-session',
  name: 'ChargingSession',
  description:
    'A charging session: when it begins, when it ends, and with every later correction, not while it grows. Without its location, ' +
    'which can be erased: read the session for it. One that is superseded by a recorded session is `deleted`.',
  table: 'charging_sessions',
  alias: 's',
  columns: chargingColumns,
  resource: sessionOf,
  subject: ofVehicle('charging'),
  schema: Type.Object(properties, { additionalProperties: false }),
  example,
});
