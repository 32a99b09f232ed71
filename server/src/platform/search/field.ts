import { memoizeByIdentity } from '../memoize-by-identity.ts';

/** A field of the response that requests can filter and sort by, and its SQL. */
export type Field = FieldOptions & {
  /** The dotted path in the response: `information.vendor`. */
  path: string;
  type: FieldType;
  column: string;
};

type FieldOptions = {
  /** The values of an enumeration. */
  values?: readonly string[];
  /** For a field with many values per entry: their `from … where …`. A filter matches if any value does. */
  anyOf?: string;
  /** An indexed column that rises with the field in buckets, and is null where the field is. */
  bucketColumn?: string;
};

export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'date-time' | 'uuid' | 'object';

/** Fields by path, in the order in which clients see them listed. */
export type FieldTable = Record<
  string,
  readonly [type: FieldType, column: string, options?: FieldOptions]
>;

export function fieldsOf(table: FieldTable): readonly Field[] {
  return Object.entries(table).map(([path, [type, column, options]]) => ({
    path,
    type,
    column,
    ...options,
  }));
}

/** By dotted path, and by the bare name where only one field has it. */
export const fieldsByName = memoizeByIdentity(
  (fields: readonly Field[]): ReadonlyMap<string, Field> => {
    const byName = new Map(fields.map((field) => [field.path, field]));
    const bareNames = fields.map(({ path }) => path.slice(path.lastIndexOf('.') + 1));
    for (const [index, name] of bareNames.entries()) {
      const field = fields[index];
      if (field && bareNames.indexOf(name) === bareNames.lastIndexOf(name)) byName.set(name, field);
    }
    return byName;
  },
);

export const sortableFields = memoizeByIdentity((fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ type, anyOf }) => type !== 'object' && anyOf === undefined),
);
