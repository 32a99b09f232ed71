import Type from 'typebox';

export type ExtraValue = number | string | boolean;

/** Signals that have no name of ours. */
export type Extra = Record<string, ExtraValue>;

/** The newest known value of each, by its name. */
export type ExtraSignals = ReadonlyMap<string, { value: ExtraValue; time: number }>;

export const maxExtraSignals = 32;

/** A letter first, so that no name has a meaning for objects of JavaScript, such as __proto__. */
const extraNamePattern = '^[A-Za-z][A-Za-z0-9_.:-]{0,63}$';

export const extraValue = Type.Unsafe<ExtraValue>({
  type: ['number', 'string', 'boolean'],
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f]*$',
  description: 'A number, a boolean, or text without control characters.',
});

export const extraNames = {
  type: 'string',
  pattern: extraNamePattern,
  maxLength: 64,
  description:
    'An object whose names begin with a letter and have at most 64 letters, digits or any of . _ : -.',
};

export const extraProperty = Type.Optional(
  Type.Unsafe<Extra>({
    type: 'object',
    maxProperties: maxExtraSignals,
    propertyNames: extraNames,
    additionalProperties: extraValue,
    description:
      `Any further signals, ${maxExtraSignals} at most: numbers, texts and booleans by their names. Each has its own time, and of a ` +
      `vehicle the ${maxExtraSignals} that were measured last are kept with its status.`,
    examples: [{ oilTemperature: 92.5, driveMode: 'eco' }],
  }),
);

/** Merges those of one time into the newest known: the same map when nothing is new. */
export function mergeExtra(known: ExtraSignals, time: number, sent: Extra): ExtraSignals {
  const newer = Object.entries(sent).filter(([name, value]) => {
    const before = known.get(name);
    if (!before) return true;
    return time === before.time ? compareExtra(value, before.value) > 0 : time > before.time;
  });
  if (newer.length === 0) return known;
  const merged = new Map(known);
  for (const [name, value] of newer) merged.set(name, { value, time });
  if (merged.size <= maxExtraSignals) return merged;
  // The newest: the choice is then the same in whatever order the messages come.
  const kept = [...merged]
    .sort(([a, one], [b, other]) => other.time - one.time || (a < b ? -1 : 1))
    .slice(0, maxExtraSignals);
  const isSame = kept.every(([name, { value, time: at }]) => {
    const before = known.get(name);
    return before?.time === at && before.value === value;
  });
  return isSame ? known : new Map(kept);
}

/** The values of one moment after a message; the same object when nothing is new. */
export function mergeExtraMoment(before: Extra | undefined, sent: Extra): Extra {
  const merged = new Map(Object.entries(before ?? {}));
  let isNew = before === undefined;
  for (const [name, value] of Object.entries(sent)) {
    const known = merged.get(name);
    if (known !== undefined && compareExtra(value, known) <= 0) continue;
    merged.set(name, value);
    isNew = true;
  }
  if (!isNew) return before as Extra;
  // The first by name: those of two messages of one moment may be too many.
  const kept = [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, maxExtraSignals);
  return Object.fromEntries(kept);
}

/** Above 0 when the first is the greater; texts are greater than numbers, and numbers than booleans. */
function compareExtra(a: ExtraValue, b: ExtraValue): number {
  if (a === b) return 0;
  if (typeof a === typeof b) return a > b ? 1 : -1;
  return typeof a > typeof b ? 1 : -1;
}
