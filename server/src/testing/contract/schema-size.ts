/** The part of a JSON schema that determines how large a value can be. */
export type SizedSchema = {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  items?: SizedSchema;
  properties?: Record<string, SizedSchema>;
  maxProperties?: number;
  propertyNames?: SizedSchema;
  additionalProperties?: boolean | SizedSchema;
};

// With quotes: the longest that each format admits.
const formatBytes: Record<string, number> = { uuid: 38, date: 12, 'date-time': 37 };
// Such as -2.2250738585072014e-308.
const numberBytes = 24;

/** The largest number of bytes that a value of the schema has as JSON; Infinity if nothing bounds it. */
export function maxBytesOf(schema: SizedSchema): number {
  if (schema.enum) return Math.max(...schema.enum.map((one) => byteLength(one)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return Number.POSITIVE_INFINITY;
  return Math.max(...types.map((type) => maxBytesOfType(type, schema)));
}

function maxBytesOfType(type: string, schema: SizedSchema): number {
  switch (type) {
    case 'boolean':
      return 5;
    case 'number':
    case 'integer':
      return numberBytes;
    case 'string':
      return formatBytes[schema.format ?? ''] ?? maxBytesOfText(schema);
    case 'array':
      return (
        2 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + maxBytesOf(schema.items ?? {}))
      );
    case 'object': {
      if (schema.additionalProperties !== false) return maxBytesOfDictionary(schema);
      const members = Object.entries(schema.properties ?? {});
      return members.reduce((sum, [name, one]) => sum + byteLength(name) + 2 + maxBytesOf(one), 2);
    }
    default:
      return 4;
  }
}

/** Of an object with any names. */
function maxBytesOfDictionary({
  maxProperties = Number.POSITIVE_INFINITY,
  propertyNames = {},
  additionalProperties,
}: SizedSchema): number {
  const value = typeof additionalProperties === 'object' ? additionalProperties : {};
  return 2 + maxProperties * (maxBytesOf(propertyNames) + 2 + maxBytesOf(value));
}

/** A character has at most four bytes, one in ASCII, and six as a control character, which is escaped. */
function maxBytesOfText({ maxLength, pattern }: SizedSchema): number {
  const admits = (text: string) => pattern === undefined || new RegExp(pattern, 'u').test(text);
  const isAscii = admits('A') && !admits('é');
  return 2 + (maxLength ?? maxLengthOf(pattern)) * (admits('\u0001') ? 6 : isAscii ? 1 : 4);
}

/** Of a pattern of fixed lengths such as ^[A-Z]{3}$. */
function maxLengthOf(pattern: string | undefined): number {
  const length = /^\^\[[^\]]+\]\{(\d+)\}\$$/.exec(pattern ?? '')?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The places in a schema of values that nothing bounds. */
export function unboundedIn(schema: SizedSchema, at = ''): string[] {
  if (schema.type === 'object' && schema.additionalProperties === false) {
    return Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      unboundedIn(one, `${at}/${name}`),
    );
  }
  if (schema.type === 'array' && schema.maxItems !== undefined) {
    return unboundedIn(schema.items ?? {}, `${at}/*`);
  }
  return maxBytesOf(schema) === Number.POSITIVE_INFINITY ? [at] : [];
}
