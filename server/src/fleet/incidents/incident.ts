import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { BlobsSchema, exampleBlob } from '../files/public.ts';
import { CustomerSchema, exampleCustomer } from '../users/public.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import { damagePositions } from './damage-position.ts';

export const ocrStatuses = ['NOT_STARTED', 'MANUAL', 'PROCESSING', 'PROCESSED', 'ERROR'] as const;

export const OcrStatusSchema = Type.Enum([...ocrStatuses], {
  $id: 'OcrStatus',
  type: 'string',
  description:
    'How far the text of its documents is recognised; MANUAL when a person has typed the data in.',
});
export type OcrStatus = Static<typeof OcrStatusSchema>;

const DamagePositionSchema = Type.Enum([...damagePositions], {
  $id: 'DamagePosition',
  type: 'string',
  description: 'Where on the vehicle the damage is.',
});

export const severities = ['light', 'moderate', 'high'] as const;

const IncidentDamageSchema = Type.Object(
  {
    title: Type.String({
      maxLength: 10_000,
      description: 'The damage in a few words.',
      examples: ['Scratch on the door'],
    }),
    damageType: Type.String({
      maxLength: 10_000,
      description: 'What kind of damage it is, in words of your own.',
      examples: ['scratch'],
    }),
    severity: Type.Enum([...severities], {
      type: 'string',
      description: 'How bad it is.',
    }),
    repaired: Type.Boolean({ description: 'Whether it has been repaired.' }),
    position: DamagePositionSchema,
  },
  { $id: 'IncidentDamage', additionalProperties: false },
);

const optionalText = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 10_000, description, examples: [example] }));

const title = Type.String({
  maxLength: 10_000,
  description: 'Title of the incident.',
  examples: ['Scraped a bollard'],
});
const properties = {
  customer: Type.Optional(CustomerSchema),
  vehicleOperable: Type.Boolean({
    description: 'Whether the vehicle may currently drive with the damages.',
  }),
  incidentTimestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'When the incident happened: sent with any offset, answered in UTC, to the millisecond.',
      examples: ['2026-11-14T17:20:00.000Z'],
    }),
  ),
  location: optionalText('Address where the incident happened.', 'Torstraße 1, Berlin'),
  incidentType: optionalText('What kind of incident it was, in words of your own.', 'parking'),
  cause: optionalText('What caused it.', 'Turned in too tightly.'),
  notes: optionalText('Notes for those who deal with it.', 'The garage has a quote.'),
  description: optionalText('What happened, at length.', 'Touched a bollard at low speed.'),
  isResolved: Type.Boolean({ description: 'Whether nothing is left to do about it.' }),
};
const damagesDescription = 'What was damaged, in the order that was sent.';

/** Unknown values and empty lists are absent. */
const maxDamages = 1_000;

export const IncidentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    ocrStatus: OcrStatusSchema,
    title,
    reportTimestamp: Type.String({
      format: 'date-time',
      description: 'When the report was created.',
    }),
    ...properties,
    blobs: BlobsSchema,
    damages: Type.Optional(
      Type.Array(IncidentDamageSchema, {
        maxItems: maxDamages,
        description: `${damagesDescription} Absent when there are none.`,
      }),
    ),
  },
  { $id: 'Incident', additionalProperties: false },
);
export type Incident = Static<typeof IncidentSchema>;

export const IncidentRequestSchema = Type.Object(
  {
    title,
    ...properties,
    damages: Type.Optional(
      Type.Array(IncidentDamageSchema, { maxItems: maxDamages, description: damagesDescription }),
    ),
    id: readOnly,
    ocrStatus: readOnly,
    reportTimestamp: readOnly,
    blobs: readOnly,
    vehicleId: readOnly,
    licensePlate: readOnly,
    possibleDuplicateOf: readOnly,
  },
  { $id: 'IncidentRequest', additionalProperties: false },
);
export type IncidentRequest = Static<typeof IncidentRequestSchema>;

export const exampleRequest = {
  title: 'Scraped a bollard',
  customer: exampleCustomer,
  vehicleOperable: true,
  incidentTimestamp: '2026-11-14T17:20:00.000Z',
  location: 'Torstraße 1, 10119 Berlin',
  incidentType: 'parking',
  cause: 'Turned in too tightly.',
  notes: 'The garage has a quote.',
  description: 'Touched a bollard at low speed when leaving the car park.',
  isResolved: false,
  damages: [
    {
      title: 'Scratch on the front door',
      damageType: 'scratch',
      severity: 'light',
      repaired: false,
      position: 'right_front_door_lower',
    },
    {
      title: 'Dent in the sill',
      damageType: 'dent',
      severity: 'moderate',
      repaired: false,
      position: 'right_side_skirt_front',
    },
  ],
} satisfies IncidentRequest;

export const exampleNewIncident: Incident = {
  id: '5ea0c9ac-e3c6-4ff3-9741-ad98abea9cc8',
  ocrStatus: 'NOT_STARTED',
  reportTimestamp: '2026-11-14T18:02:41.118Z',
  ...exampleRequest,
};

export const exampleIncident: Incident = {
  ...exampleNewIncident,
  blobs: [{ ...exampleBlob, filename: 'door.jpg' }],
};

/** The path parameters of every operation on one incident. */
export const incidentParameters = {
  ...vehicleIdParameter,
  incidentId: uuidParameter('The id of the incident.', exampleIncident.id),
};

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('incident');
