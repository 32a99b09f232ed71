import type { Answer, Sent } from '../http-client.ts';
import { problemTypePattern } from '../problem-type.ts';
import type { TestService } from '../test-service.ts';
import type { ContractData } from './contract-data.ts';
import { requireContract } from './document.ts';
import { type AnyOperation, examplesOf, pathOf, valuesFor } from './requests.ts';
import type { Values } from './seed.ts';

export type ContractClient = ReturnType<typeof contractClient>;

/** Sends the example of an operation on seeded records, with deviations. */
export function contractClient(service: TestService, data: ContractData) {
  const path = (operation: AnyOperation, values: Values = {}) =>
    pathOf(operation, data.own, { ...valuesFor(operation, data.values), ...values });

  async function send(operation: AnyOperation, sent: Partial<Sent> = {}): Promise<Answer> {
    const example = exampleOf(operation);
    const { body = example === undefined ? undefined : JSON.stringify(example) } = sent;
    const request = {
      method: operation.method,
      path: path(operation),
      ...sent,
      body,
      headers: {
        authorization: `Bearer ${await service.token(data.own.id)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...sent.headers,
      },
    };
    const answer = await service.send(request);
    requireContract(request.method, request.path, answer);
    if (answer.status >= 400) requireProblem(answer);
    return answer;
  }

  return { path, send };
}

const anyProblem = problemTypePattern('[a-z-]+');

/** Plain conditions, as thousands of answers are held against them. */
function requireProblem({ status, headers, json, text }: Answer): void {
  const isProblem =
    anyProblem.test(json?.type) &&
    typeof json.title === 'string' &&
    json.status === status &&
    typeof json.instance === 'string' &&
    json.requestId === headers['x-request-id'];
  if (!isProblem) throw new Error(`${status} with ${text}, which is no problem`);
  const internal = /node_modules|\.ts:\d|select |insert |at \w+ \(/.exec(text);
  if (internal) throw new Error(`${internal[0]} in ${text}`);
}

export function takesJson({ method, upload }: AnyOperation): boolean {
  return method !== 'GET' && !upload;
}

/** Its first JSON body, if it has one. */
export function exampleOf(operation: AnyOperation): unknown {
  return operation.upload ? undefined : examplesOf(operation)[0];
}
