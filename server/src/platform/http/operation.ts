import type { Static, TObject, TSchema } from 'typebox';
import type { Queryable } from '../db/database.ts';
import type { Workload } from '../db/workload.ts';
import type { PathParameter } from './path-parameter.ts';
import type { Caller, Role } from './principal.ts';
import type { ValidationIssue } from './problem.ts';
import type { RequestPart, RuleContext } from './request-part.ts';

/**
 * One operation of the fleet interface. Its route, its validation, its part of the OpenAPI document and its contract
 * tests derive from this value.
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
  /** The operationId, equal to the name of the file, unless that defines one for each kind of owner. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the provider's base, in OpenAPI's notation: `/{vehicleId}`. */
  path: string;
  tag: string;
  /** Groups that also list it. */
  furtherTags?: readonly string[];
  /** The least role that may call it. */
  role: Role;
  /** `interface`: fixed by the published interface. `motorpool`: an addition that completes a lifecycle. */
  origin: 'interface' | 'motorpool';
  summary: string;
  description: string;
  /** The parameters of the path beyond the provider's codes. */
  parameters: Record<Parameter, PathParameter>;
  /** Parameters of the query, all optional and none an array. */
  query?: RequestPart<Query, ParsedQuery>;
  /** Descriptions of the request headers that it supports. */
  requestHeaders?: Record<string, string>;
  body?: RequestPart<Body, ParsedBody> & {
    required: boolean;
    /** The calendar by which its rules judge dates. */
    today?(provider: ProviderRef, dependencies: Dependencies): Promise<string>;
    /** Valid bodies; the contract tests send each of them. */
    examples: Record<string, { summary: string; value: Static<Body> }>;
  };
  /** Accepts many messages instead of one body, as a JSON array or JSON lines; each is validated on its own. */
  batch?: {
    schema: TSchema;
    /** Validation beyond the schema. */
    rules?: (message: never, context: RuleContext) => ValidationIssue[];
    maxMessages: number;
    maxBytes: number;
    example: readonly unknown[];
  };
  /** Accepts bytes of any type instead of JSON, as a stream whose size the handler limits. */
  upload?: {
    description: string;
    /** What is accepted; anything when left out. */
    mediaTypes?: readonly string[];
    /** It is parsed, up to so many bytes, which count for the limits of rates; of one that is stored, none do. */
    parsedBytes?: number;
    /** What the contract tests send. */
    example?: Buffer;
  };
  /** Answers with server-sent events, until either side ends them: such a request does not count as one in flight. */
  stream?: true;
  /** Every success; one without a schema and bytes has no content. */
  responses: Record<Status, OperationResponse>;
  /** The resources that may be missing, each answered with 404. */
  notFound: string[];
  /** Descriptions of further errors, by status. */
  problems?: Record<number, string>;
  /** What its statements are for; `records` by default. */
  workload?: Workload;
  /** By POST, and changes no record: it takes no Idempotency-Key, for which a transaction would be held until its answer. */
  changesNothing?: true;
  /** A search that also writes, or that has to tell what was written before: it does not read a replica. */
  needsPrimary?: true;
  handler(
    input: OperationInput<Parameter, ParsedBody, ParsedQuery>,
    dependencies: Dependencies,
  ): Promise<OperationResult<Status>>;
};

type OperationResponse = {
  description: string;
  schema?: TSchema;
  example?: unknown;
  /** The body is bytes, whose content type the handler sets: one of these, or any. */
  bytes?: true | readonly string[];
  headers?: Record<string, string>;
};

type OperationInput<Parameter extends string, Body, Query> = {
  provider: ProviderRef;
  caller(): Caller;
  /** Whether the token that came with the request would still be accepted. */
  isAuthorized(): Promise<boolean>;
  /** 401 or 403 once it would not: for what waits long before it writes. */
  stillAuthorized(): void | Promise<void>;
  parameters: Record<Parameter, string>;
  query: Query;
  header(name: string): string | undefined;
  body: Body;
  /** The messages of a batch, in order. */
  messages: readonly Message[];
  /** The body of an upload. It fails where not all of it comes, and where the caller may no longer send it when it has. */
  bytes: AsyncIterable<Buffer>;
  /** An upload by POST gives its answer to it, in the transaction of its write. */
  keepAnswer: KeepAnswer;
};

/** Keeps the answer under the request's Idempotency-Key, if it has one. */
export type KeepAnswer = (tx: Queryable, result: OperationResult<number>) => Promise<void>;

/** One message of a batch, and its validation issues. */
export type Message = { value: unknown; issues: readonly ValidationIssue[] };

export type OperationResult<Status extends number> = {
  status: Status;
  headers?: Record<string, string>;
  /** Plain data to serialize, JSON text, or a stream whose content type is in the headers. */
  body?: unknown;
};

/** A body that is serialized already, such as by the database. */
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

/** Infers the types of the handler from the schemas, and erases them for the list of operations. */
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
