import type { TProperties } from 'typebox';
import type { ValidationIssue } from '../../platform/http/problem.ts';

type Bounded = {
  minimum?: number;
  maximum?: number;
  description?: string;
  properties?: Record<string, Bounded>;
};

/** The same signals with any number: one that is out of bounds is rejected alone, and not all that came with it. */
export function withoutBounds<Properties extends TProperties>(properties: Properties): Properties {
  const entries = Object.entries(properties).map(([name, schema]) => [name, unbounded(schema)]);
  return Object.fromEntries(entries);
}

/** A copy with what the schema has beside its enumerable properties, such as that it is optional. */
function unbounded<Schema extends Bounded>(schema: Schema): Schema {
  const { minimum, maximum, ...descriptors } = Object.getOwnPropertyDescriptors(schema);
  const copy: Schema = Object.defineProperties({} as Schema, descriptors);
  if (copy.properties) copy.properties = withoutBounds(copy.properties as TProperties);
  if (minimum && maximum) {
    const range = `From ${minimum.value} to ${maximum.value}; a value beyond is not stored.`;
    copy.description = [schema.description, range].filter(Boolean).join(' ');
  }
  return copy;
}

type Signals = Readonly<Record<string, unknown>>;

/** Finds the signals that cannot be true, by the bounds of their schemas; a position of 0/0 is that of a receiver without one. */
export function plausibilityOf(properties: TProperties): (signals: Signals) => ValidationIssue[] {
  const bounds = boundsOf(properties as Record<string, Bounded>);
  return (signals) => {
    const issues: ValidationIssue[] = [];
    for (const { name, minimum, maximum, issue } of bounds) {
      const value = signals[name];
      if (typeof value === 'number' && !(value >= minimum && value <= maximum)) issues.push(issue);
    }
    const position = signals.location === undefined ? undefined : positionIssue(signals.location);
    if (position) issues.push(position);
    return issues;
  };
}

function boundsOf(properties: Record<string, Bounded>) {
  return Object.entries(properties).flatMap(([name, { minimum, maximum }]) =>
    minimum === undefined || maximum === undefined
      ? []
      : { name, minimum, maximum, issue: issueOf(name, minimum, maximum) },
  );
}

function issueOf(name: string, minimum: number, maximum: number): ValidationIssue {
  return { pointer: `/${name}`, detail: `${name} must be from ${minimum} to ${maximum}.` };
}

function positionIssue(position: unknown): ValidationIssue | undefined {
  const { lat = Number.NaN, lng = Number.NaN } = (position ?? {}) as { lat?: number; lng?: number };
  const pointer = '/location';
  if (Math.abs(lat) > 90) return { pointer, detail: 'location.lat must be from -90 to 90.' };
  if (Math.abs(lng) > 180) return { pointer, detail: 'location.lng must be from -180 to 180.' };
  if (lat !== 0 || lng !== 0) return undefined;
  return { pointer, detail: 'location must not be 0/0, which receivers report without a fix.' };
}
