import type { Static, TSchema } from 'typebox';

/**
 * One operation of the fleet interface, whole in one value: from it come its route, its validation,
 * its part of the OpenAPI document and the hostile tests that it must stand.
 */
export type Operation<
  Dependencies,
  Parameter extends string = string,
  Body extends TSchema = TSchema,
  Status extends number = number,
> = {
  /** The operationId; the file has the same name. */
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
  body?: {
    schema: Body;
    required: boolean;
    /** Bodies that work as they stand; the hostile tests begin with the first. */
    examples: Record<string, { summary: string; value: Static<Body> }>;
  };
  /** Every success; without a schema there is no content. */
  responses: Record<Status, { description: string; schema?: TSchema; example?: unknown }>;
  /** What may be missing; each is a 404. */
  notFound: string[];
  handler(
    input: OperationInput<Parameter, Static<Body>>,
    dependencies: Dependencies,
  ): Promise<OperationResult<Status>>;
};

export type OperationInput<Parameter extends string, Body> = {
  provider: ProviderRef;
  parameters: Record<Parameter, string>;
  body: Body;
};

export type OperationResult<Status extends number> = { status: Status; body?: unknown };

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
>(definition: Operation<Dependencies, Parameter, Body, Status>): Operation<Dependencies> {
  return definition as unknown as Operation<Dependencies>;
}

export const basePath = '/api/fleets/v1/{assetProviderCountryCode}/{assetProviderCode}';
