import { type Document, nameOf, type Schema } from './document.ts';

/** TypeScript types of all schemas of the document, with their descriptions. */
export function schemaTypes({ components }: Document): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
  );
  return types.join('\n');
}

/** The type of a schema, as TypeScript. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => grouped(typeOf(one, indent))).join(' & ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.items ? `${grouped(typeOf(schema.items, indent))}[]` : 'unknown[]';
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], patternProperties = {} } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, property]) => {
    const optional = required.includes(name) ? '' : '?';
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const note = comment(property.description, inner);
    return `${note}${inner}${key}${optional}: ${typeOf(property, inner)};\n`;
  });
  const [values] = Object.values(patternProperties);
  const rest = values ?? schema.additionalProperties;
  if (members.length === 0)
    return typeof rest === 'object'
      ? `Record<string, ${typeOf(rest, indent)}>`
      : 'Record<string, unknown>';
  return `{\n${members.join('')}${indent}}`;
}

const grouped = (type: string) =>
  / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type;

/** A documentation comment, wrapped at the width of a line. */
export function comment(text: string | undefined, indent = ''): string {
  if (!text) return '';
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => wrap(line, 110 - indent.length));
  const [only = ''] = lines;
  if (lines.length === 1) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last && last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
