import Type, { type TSchema } from 'typebox';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { RecordEvents } from '../record-events.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';

/** The attributes of CloudEvents 1.0 that every event has. */
export type CloudEvent = {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  /** Extensions. */
  sequence?: string;
  vehicleid?: string;
  data: unknown;
};

/** The identity of the provider, as a reference below any address of the service. */
export function sourceOf({ countryCode, code }: ProviderRef): string {
  return `/api/fleets/v1/${countryCode}/${code}`;
}

const attributes = {
  specversion: Type.Literal('1.0', { description: 'The version of CloudEvents.' }),
  id: Type.String({ format: 'uuid', description: 'The same however often the event is read.' }),
  source: Type.String({ maxLength: 100, description: 'The asset provider.' }),
  subject: Type.String({
    maxLength: 300,
    description: 'Where the record is read, below the path of the asset provider.',
  }),
  time: Type.String({ format: 'date-time', description: 'When it happened.' }),
  datacontenttype: Type.Literal('application/json'),
};

const sequence = Type.String({
  maxLength: 18,
  pattern: '^\\d{1,18}$',
  description:
    'The number of the event in the log of the asset provider, without gaps, and the cursor behind it.',
});

export const vehicleid = Type.String({
  maxLength: maxVehicleIdLength,
  description: 'The vehicle that the record belongs to; absent where it belongs to none.',
});

export function eventSchema(name: string, types: readonly string[], more: object, data: TSchema) {
  return Type.Object(
    {
      ...attributes,
      type: Type.Enum([...types], { type: 'string' }),
      ...more,
      data,
    },
    { $id: `${name}Event`, additionalProperties: false },
  );
}

export function typesOf({ type, kinds }: RecordEvents): string[] {
  return kinds.map((kind) => `${type}.${kind}.v1`);
}

/** The schema of all events of one kind of record. */
function recordEventSchema(record: RecordEvents): TSchema {
  return eventSchema(
    record.name,
    typesOf(record),
    { sequence, vehicleid: Type.Optional(vehicleid) },
    Type.Object(
      {
        resource: Type.Optional(record.schema),
        changed: Type.Optional(
          Type.Array(Type.String({ maxLength: 100 }), {
            maxItems: 1_000,
            description: 'Of an update: the dotted paths of the properties that changed.',
          }),
        ),
        erased: Type.Optional(
          Type.Literal(true, {
            description:
              'The record told of a customer who was erased since: the resource is no longer there.',
          }),
        ),
      },
      {
        additionalProperties: false,
        description: `${record.description} The resource is as it was after the change; of a deletion, as it was last.`,
      },
    ),
  );
}

/** Any event of the log. */
export function eventsSchema(records: readonly RecordEvents[]): TSchema {
  return Type.Union(records.map(recordEventSchema), { $id: 'FleetEvent' });
}

export const exampleVehicleEvent = {
  specversion: '1.0',
  id: '0f8a6c1e-93b7-4d52-8f4e-5a6b7c8d9e0f',
  source: '/api/fleets/v1/DE/ABC',
  type: 'vehicle.updated.v1',
  subject: `/${exampleVehicle.asset.id}`,
  time: '2026-11-15T09:24:31.207Z',
  datacontenttype: 'application/json',
  sequence: '4711',
  vehicleid: exampleVehicle.asset.id,
  data: {
    resource: { asset: exampleVehicle.asset, information: exampleVehicle.information },
    changed: ['information.licensePlate'],
  },
} satisfies CloudEvent;
