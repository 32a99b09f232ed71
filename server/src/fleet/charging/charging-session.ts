import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';

export const energyBases = ['measured', 'estimated'] as const;
export const sources = ['telemetry', 'recorded'] as const;

const percent = (description: string, example: number) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100, description, examples: [example] }));

const properties = {
  fromDatetime: Type.String({
    format: 'date-time',
    description: 'When it began.',
    examples: ['2026-11-14T18:02:11.000Z'],
  }),
  fromSoC: percent('State of charge at the beginning, in percent.', 32),
  toDatetime: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When it ended; absent while it runs.',
      examples: ['2026-11-14T21:47:40.000Z'],
    }),
  ),
  location: Type.Optional(
    Type.Object(
      {
        latitude: Type.Number({ minimum: -90, maximum: 90, description: 'In degrees.' }),
        longitude: Type.Number({ minimum: -180, maximum: 180, description: 'In degrees.' }),
      },
      { additionalProperties: false, description: 'Where the vehicle was charged.' },
    ),
  ),
  toSoC: percent('State of charge at the end, in percent; absent while it runs.', 80),
  chargedKWh: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'The energy that was charged, in kWh; of a running session, so far.',
      examples: [36.96],
    }),
  ),
};

const energyBasis = {
  type: 'string',
  description:
    'Whether chargedKWh was counted, or follows from the states of charge and the capacity of the battery.',
} as const;

/** The Charging session item of the interface. A value that is not known is absent. */
export const ChargingSessionSchema = Type.Object(
  {
    id: Type.String({ description: 'Made by the service, or given by who recorded the session.' }),
    ...properties,
  },
  { $id: 'ChargingSession', additionalProperties: false },
);
export type ChargingSession = Static<typeof ChargingSessionSchema>;

/** The item, and what is known of it besides. */
export const ReadChargingSessionSchema = Type.Object(
  {
    ...ChargingSessionSchema.properties,
    energyBasis: Type.Enum([...energyBases], energyBasis),
    source: Type.Enum([...sources], {
      type: 'string',
      description: 'Found in the telemetry of the vehicle, or recorded from elsewhere.',
    }),
    updatedAt: Type.String({
      format: 'date-time',
      description: 'When it last changed; a running session changes as it grows.',
    }),
  },
  { $id: 'ReadChargingSession', additionalProperties: false },
);
export type ReadChargingSession = Static<typeof ReadChargingSessionSchema>;

export const { etagHeader, ifMatchHeader, changedMeanwhile, conditionHeaders, conditionFailed } =
  etagTexts('session');

/** What a client may record. */
export const ChargingSessionRequestSchema = Type.Object(
  {
    id: readOnly,
    ...properties,
    energyBasis: Type.Optional(
      Type.Enum([...energyBases], { ...energyBasis, default: 'measured' }),
    ),
    source: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'ChargingSessionRequest', additionalProperties: false },
);
export type ChargingSessionRequest = Static<typeof ChargingSessionRequestSchema>;

// The clocks of charging stations may be ahead of ours.
const leadMs = 300_000;

/** Times that cannot be: an end before the beginning, and anything still to come. */
export function timeIssues({
  fromDatetime,
  toDatetime,
}: ChargingSessionRequest): ValidationIssue[] {
  const [from, to] = [timeOf(fromDatetime), timeOf(toDatetime)];
  const latest = Date.now() + leadMs;
  const issues: ValidationIssue[] = [];
  const addIssue = (name: string, must: string) =>
    issues.push({ pointer: `/${name}`, detail: `${name} must ${must}.` });
  const lead = `be at most ${leadMs / 60_000} minutes ahead of the service's clock`;
  if (from > latest) addIssue('fromDatetime', lead);
  if (to < from) addIssue('toDatetime', 'not be before fromDatetime');
  else if (to > latest) addIssue('toDatetime', lead);
  return issues;
}

/** Not a number, which no comparison holds for, when it is absent or no time at all. */
function timeOf(dateTime: unknown): number {
  return typeof dateTime === 'string' ? Date.parse(toMilliseconds(dateTime)) : Number.NaN;
}

/** The path parameters of every operation on one session. */
export const sessionParameters = {
  ...vehicleIdParameter,
  sessionId: {
    description: 'The id of the session: 1 to 100 letters, digits or any of . _ : -.',
    example: 'CDR-2026-000417',
  },
};

export const exampleRequest = {
  fromDatetime: '2026-11-14T18:02:11.000Z',
  fromSoC: 32,
  toDatetime: '2026-11-14T21:47:40.000Z',
  location: { latitude: 52.51704, longitude: 13.38886 },
  toSoC: 80,
  chargedKWh: 38.412,
  energyBasis: 'measured' as const,
} satisfies ChargingSessionRequest;

const { energyBasis: _, ...exampleProperties } = exampleRequest;

export const exampleSession: ChargingSession = {
  id: sessionParameters.sessionId.example,
  ...exampleProperties,
};

export const exampleReadSession: ReadChargingSession = {
  ...exampleSession,
  energyBasis: 'measured',
  source: 'recorded',
  updatedAt: '2026-11-14T21:50:02.417Z',
};
