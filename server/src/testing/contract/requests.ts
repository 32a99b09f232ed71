import type { Dependencies } from '../../fleet/dependencies.ts';
import { basePath, type Operation, type ProviderRef } from '../../platform/http/operation.ts';
import type { Sent } from '../http-client.ts';
import type { ContractRequest, ContractSeed, Values } from './seed.ts';

export type AnyOperation = Operation<Dependencies>;

export const providers = {
  'DE-ABC': { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
  'FR-XYZ': { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' },
} satisfies Record<string, ProviderRef>;

/** The path of an operation with the values of its parameters. */
export function pathOf(operation: AnyOperation, own: ProviderRef, values: Values): string {
  const codes = { assetProviderCountryCode: own.countryCode, assetProviderCode: own.code };
  const all: Values = { ...codes, ...values };
  return (basePath + operation.path).replaceAll(/\{(\w+)\}/g, (_, name) => all[name] ?? '');
}

export function valuesFor({ id, path, parameters }: AnyOperation, values: Values): Values {
  const named = Object.keys(parameters).map((name) => {
    // A value of the whole path is that of its last parameter.
    const value = path.endsWith(`{${name}}`) ? (values[path] ?? values[name]) : values[name];
    if (value === undefined) throw new Error(`${id}: no contract-seed.ts gives a ${name}`);
    return [name, value];
  });
  return Object.fromEntries(named);
}

/** Every documented example, and the additional requests of the modules. */
export function requestsOf(
  operation: AnyOperation,
  seeds: readonly ContractSeed[],
): ContractRequest[] {
  const more = seeds.flatMap(({ requests }) => requests?.[operation.id] ?? []);
  const examples = examplesOf(operation).map((body) => ({ body }));
  const isOptional = !operation.batch && !operation.upload && !operation.body?.required;
  return [...examples, ...(isOptional ? [{}] : []), ...more];
}

export function examplesOf({ body, batch, upload }: AnyOperation): unknown[] {
  if (upload) return [upload.example ?? Buffer.from('the bytes of a file')];
  if (batch) return [batch.example];
  return Object.values(body?.examples ?? {}).map(({ value }) => value);
}

/** The request of a provider: what names DE-ABC names this provider instead. */
export function sentOf(
  operation: AnyOperation,
  own: ProviderRef,
  token: string,
  values: Values,
  { query = '', headers, body, values: changed }: ContractRequest,
): Sent & { method: string } {
  const isBytes = body instanceof Buffer;
  const renamed = (text: string) => text.replaceAll('DE*ABC*', `${own.countryCode}*${own.code}*`);
  const text = body === undefined ? undefined : renamed(JSON.stringify(body));
  const named = valuesFor(operation, values);
  for (const [name, value] of Object.entries(changed ?? {}))
    named[name] = renamed(value).replaceAll(/\{(\w+)\}/g, (_, seeded) => values[seeded] ?? '');
  return {
    method: operation.method,
    path: pathOf(operation, own, named) + query,
    body: isBytes ? body : text,
    headers: {
      authorization: `Bearer ${token}`,
      ...(text !== undefined && !isBytes && { 'content-type': 'application/json' }),
      ...headers,
    },
  };
}
