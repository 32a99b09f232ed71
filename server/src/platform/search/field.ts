import { memoizeByIdentity } from '../memoize-by-identity.ts';

/** A field of an answer that requests can filter and sort by, and the SQL that stands for it. */
export type Field = FieldOptions & {
  /** The dotted path of the answer: `information.vendor`. */
  path: string;
  type: FieldType;
  column: string;
};

type FieldOptions = {
  /** Of text that is one of a few words: which. */
  values?: readonly string[];
  /** Where many values belong to one entry: `from … where …` of them. A filter asks whether any fits. */
  anyOf?: string;
  /** A column that rises with it in buckets, is null where it is, and has an index. */
  bucketColumn?: string;
};

export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'date-time' | 'uuid' | 'object';

/** Fields by path, in the order in which they are named to clients. */
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

/** Those that entries can be sorted by. */
export const sortableFields = memoizeByIdentity((fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ type, anyOf }) => type !== 'object' && anyOf === undefined),
);
