import Type, { type Static } from 'typebox';
import { problemLimits } from '../../platform/http/problem.ts';

/** The results of a message that is not rejected. */
export const outcomes = ['accepted', 'stale', 'duplicate'] as const;

const results = [...outcomes, 'rejected'] as const;

const reasons = [
  'invalid',
  'unknown_vehicle',
  'inactive_vehicle',
  'unpaired_serial',
  'in_future',
  'too_old',
  'position_not_kept',
  'implausible',
] as const;

export const IgnoredSchema = Type.Array(Type.Enum(['location'], { type: 'string' }), {
  maxItems: 1,
  description: 'What was not stored, because the `trackGeolocation` of the vehicle is false.',
});

export const DoubtfulSchema = Type.Array(Type.Enum(['odometer'], { type: 'string' }), {
  maxItems: 1,
  description:
    'What is stored in the history alone, because it fell or leapt, until a later reading agrees with it.',
});

export const IssuesSchema = Type.Array(
  Type.Object({
    pointer: Type.String({
      maxLength: problemLimits.textLength,
      description: 'JSON pointer into the message.',
    }),
    detail: Type.String({ maxLength: problemLimits.textLength }),
  }),
  {
    maxItems: problemLimits.errors,
    description:
      'What is wrong with it, and where. Of a message that is not rejected: the signals that are not stored, because they cannot be true.',
  },
);

/** The result of one message of a batch. */
export const MessageResultSchema = Type.Object(
  {
    index: Type.Integer({ description: 'Which message; the first is 0.' }),
    result: Type.Enum([...results], { type: 'string' }),
    reason: Type.Optional(
      Type.Enum([...reasons], { type: 'string', description: 'Why it was rejected.' }),
    ),
    errors: Type.Optional(IssuesSchema),
    ignored: Type.Optional(IgnoredSchema),
    doubtful: Type.Optional(DoubtfulSchema),
  },
  { $id: 'MessageResult', additionalProperties: false },
);
type MessageResult = Static<typeof MessageResultSchema>;

/** The result without the index of the message. */
export type Result = Omit<MessageResult, 'index'>;

export const CountsSchema = Type.Object(
  {
    accepted: Type.Integer(),
    stale: Type.Integer(),
    duplicate: Type.Integer(),
    rejected: Type.Integer(),
  },
  { additionalProperties: false, description: 'How many messages had each result.' },
);

export function countsOf(all: readonly Result[]): Static<typeof CountsSchema> {
  const counts = { accepted: 0, stale: 0, duplicate: 0, rejected: 0 };
  for (const { result } of all) counts[result] += 1;
  return counts;
}

/**
 * What is told to a caller who may send and not read: whether values were new, or in doubt, tells of those that are known, by
 * which positions and odometers could be searched for.
 */
export function unrevealing<Told extends Pick<Result, 'result' | 'doubtful'>>(told: Told): Told {
  if (told.result === 'rejected') return told;
  const { doubtful, ...rest } = told;
  return { ...rest, result: 'accepted' } as Told;
}

export const unrevealed =
  'A caller who may send and not read, of the role `databox` alone, is told `accepted` of all that is not rejected, and nothing of doubts.';

export function rejected(
  reason: (typeof reasons)[number],
  pointer: string,
  detail: string,
): Result {
  return { result: 'rejected', reason, errors: [{ pointer, detail }] };
}

export const vehicleInactive =
  'The vehicle is deactivated: its telemetry is not stored until it is activated again.';

export const positionNotKept =
  'The trackGeolocation of the vehicle is false: its positions are not stored, and the message has nothing else.';
