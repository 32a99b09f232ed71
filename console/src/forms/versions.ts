export type Side = 'mine' | 'theirs';
export type Choices<Field extends string> = Partial<Record<Field, Side>>;

/** A field that differs, and which side should win where only one of them changed it. */
export type Difference<Field extends string> = { field: Field; suggested: Side | undefined };

type Version<Field extends string> = { readonly [Name in Field]?: unknown };

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export function differentFields<Field extends string>(
  fields: readonly Field[],
  one: Version<Field>,
  other: Version<Field>,
): Field[] {
  return fields.filter((field) => !isEqual(one[field], other[field]));
}

export function compareVersions<Field extends string>(
  fields: readonly Field[],
  base: Version<Field>,
  mine: Version<Field>,
  theirs: Version<Field>,
): Difference<Field>[] {
  return differentFields(fields, mine, theirs).map((field) => ({
    field,
    suggested: isEqual(base[field], theirs[field])
      ? 'mine'
      : isEqual(base[field], mine[field])
        ? 'theirs'
        : undefined,
  }));
}

/** Each field of the side that is chosen for it, else theirs; those that neither has are left out. */
export function mergeVersions<Field extends string, Values extends Version<Field>>(
  fields: readonly Field[],
  mine: Values,
  theirs: Values,
  choices: Choices<Field>,
): Values {
  const chosen = fields.map((field) => [field, (choices[field] === 'mine' ? mine : theirs)[field]]);
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) as Values;
}
