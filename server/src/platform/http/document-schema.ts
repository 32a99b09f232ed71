/** Named schemas and parameters of the OpenAPI document. */
export type Components = {
  schemas: Record<string, unknown>;
  parameters: Record<string, Parameter>;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: true;
  description?: string | undefined;
  schema: unknown;
  example?: unknown;
};

type Schema = { readonly [keyword: string]: unknown };

// The longest that each format admits.
const formatLengths: Record<string, number> = { uuid: 36, date: 10, 'date-time': 35 };

/**
 * A schema as the document has it: named ones are references to components, formats tell their length, and the default of
 * an optional property is told in words (docs/decisions/0046-searches-and-lists.md).
 */
export function describeSchema(schema: unknown, named: Components['schemas']): unknown {
  if (Array.isArray(schema)) return schema.map((one) => describeSchema(one, named));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = withBound(schema as Schema);
  const described = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'properties'
        ? describeProperties(value as Record<string, Schema>, rest.required, named)
        : describeSchema(value, named),
    ]),
  );
  if (typeof $id !== 'string') return described;
  requireSame(named[$id], described, $id);
  named[$id] = described;
  return { $ref: `#/components/schemas/${$id}` };
}

function describeProperties(
  properties: Record<string, Schema>,
  required: unknown,
  named: Components['schemas'],
) {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      describeSchema(isRequired(name) ? property : withDefaultInWords(property), named),
    ]),
  );
}

/** Generators make a property with a default required, also in requests. */
export function withDefaultInWords(schema: object): Schema & { description?: string } {
  const { default: fallback, ...rest } = schema as Schema;
  if (fallback === undefined) return rest;
  const words = `\`${JSON.stringify(fallback)}\` when left out.`;
  return { ...rest, description: [rest.description, words].filter(Boolean).join(' ') };
}

function withBound(schema: Schema): Schema {
  const { type, format, pattern, maxLength } = schema;
  if (type !== 'string' || maxLength !== undefined) return schema;
  const length = formatLengths[String(format)] ?? lengthOfPattern(pattern);
  return length === undefined ? schema : { ...schema, maxLength: length };
}

/** Of a pattern of one class of characters such as ^[A-Z]{3}$. */
function lengthOfPattern(pattern: unknown): number | undefined {
  const length = /^\^\[[^\]]+\]\{(?:\d+,)?(\d+)\}\$$/.exec(String(pattern ?? ''))?.[1];
  return length === undefined ? undefined : Number(length);
}

/** A reference to the parameter, which is a component; `tag` tells it from another of the same name. */
export function describeParameter(
  parameter: Parameter,
  tag: string,
  { parameters, schemas }: Components,
): { $ref: string } {
  const described = {
    ...parameter,
    schema: describeSchema(parameter.schema, schemas),
  };
  const name = parameter.name.replaceAll('-', '');
  const isOther = parameters[name] && !isSame(parameters[name], described);
  const key = isOther ? (keyOfSame(parameters, described) ?? `${tag}${upperFirst(name)}`) : name;
  requireSame(parameters[key], described, key);
  parameters[key] = described;
  return { $ref: `#/components/parameters/${key}` };
}

function keyOfSame(parameters: Components['parameters'], described: Parameter) {
  return Object.keys(parameters).find((key) => isSame(parameters[key], described));
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function requireSame(known: unknown, described: unknown, name: string): void {
  if (known !== undefined && !isSame(known, described))
    throw new Error(`two components go by the name ${name}`);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
