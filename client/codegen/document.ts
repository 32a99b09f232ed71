/** The parts of an OpenAPI 3.1 document that the client is generated from. */
export type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
  };
};

export type DocumentedOperation = {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  schema?: Schema;
};

type Reference = { $ref: string };

export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  readOnly?: boolean;
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
};

export const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);

export function resolveParameter(document: Document, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const resolved = document.components.parameters?.[nameOf(parameter.$ref)];
  if (!resolved) throw new Error(`${parameter.$ref} is not in the document`);
  return resolved;
}

export function resolveSchema(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const resolved = document.components.schemas[nameOf(schema.$ref)];
  if (!resolved) throw new Error(`${schema.$ref} is not in the document`);
  return resolved;
}
