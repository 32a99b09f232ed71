import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { ValidationIssue } from './problem.ts';
import type { RequestPart, RuleContext } from './request-part.ts';

/**
 * One operation of the fleet interface, whole in one value: from it come its route, its validation,
 * its part of the OpenAPI document and the contract tests that it must stand.
 */
export type Operation<
  Dependencies,
  Parameter extends string = string,
  Body extends TSchema = TSchema,
  Status extends number = number,
  Query extends TObject = TObject,
  ParsedBody = Static<Body>,
  ParsedQuery = Static<Query>,
> = {
  /** The operationId; the file has the same name, or makes one for each kind of owner. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the provider's base, in OpenAPI's notation: `/{vehicleId}`. */
  path: string;
  tag: string;
  /** `interface`: fixed by the published interface. `motorpool`: ours, completing a life cycle. */
  origin: 'interface' | 'motorpool';
  summary: string;
  description: string;
  /** The parameters of the path beyond the provider's codes. */
  parameters: Record<Parameter, { description: string; example: string }>;
  /** Parameters of the query, all optional; numbers as such, arrays as JSON. */
  query?: RequestPart<Query, ParsedQuery>;
  /** Headers that it heeds, and what each does. */
  requestHeaders?: Record<string, string>;
  body?: RequestPart<Body, ParsedBody> & {
    required: boolean;
    /** Bodies that work as they stand; the contract tests send each of them. */
    examples: Record<string, { summary: string; value: Static<Body> }>;
  };
  /** Takes many messages instead of one body: a JSON array, or JSON lines. Each is judged by itself. */
  batch?: {
    schema: TSchema;
    /** What is wrong with a message beyond the schema, each with its place. */
    rules?: (message: never, context: RuleContext) => ValidationIssue[];
    maxMessages: number;
    maxBytes: number;
    example: readonly unknown[];
  };
  /** Takes bytes of any type instead of JSON, as a stream that it limits itself. */
  upload?: { description: string };
  /** Every success; without a schema and without bytes there is no content. */
  responses: Record<Status, OperationResponse>;
  /** What may be missing; each is a 404. */
  notFound: string[];
  /** What else can go wrong, by status, beyond what every operation can answer. */
  problems?: Record<number, string>;
  handler(
    input: OperationInput<Parameter, ParsedBody, ParsedQuery>,
    dependencies: Dependencies,
  ): Promise<OperationResult<Status>>;
};

type OperationResponse = {
  description: string;
  schema?: TSchema;
  example?: unknown;
  /** The answer is bytes of their own type. */
  bytes?: true;
  headers?: Record<string, string>;
};

type OperationInput<Parameter extends string, Body, Query> = {
  provider: ProviderRef;
  parameters: Record<Parameter, string>;
  query: Query;
  header(name: string): string | undefined;
  body: Body;
  /** What a batch sends, in its order. */
  messages: readonly Message[];
  /** What an upload sends. */
  bytes: Readable;
};

/** One message of a batch, and what is wrong with it. */
export type Message = { value: unknown; issues: readonly ValidationIssue[] };

export type OperationResult<Status extends number> = {
  status: Status;
  headers?: Record<string, string>;
  /** Plain data, sent as JSON, or JSON text as it is; or bytes, whose type is in the headers. */
  body?: unknown;
};

/** A body that is JSON already, such as the database makes it: sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type ProviderRef = {
  /** The realm's name, which is also the key of the provider's rows: `DE-ABC`. */
  id: string;
  countryCode: string;
  code: string;
};

/** Types the handler by the schemas, and forgets them for the list of all operations. */
export function operation<
  Dependencies,
  Parameter extends string,
  Body extends TSchema,
  Status extends number,
  Query extends TObject,
  ParsedBody = Static<Body>,
  ParsedQuery = Static<Query>,
>(
  definition: Operation<Dependencies, Parameter, Body, Status, Query, ParsedBody, ParsedQuery>,
): Operation<Dependencies> {
  return definition as unknown as Operation<Dependencies>;
}

export const basePath = '/api/fleets/v1/{assetProviderCountryCode}/{assetProviderCode}';
