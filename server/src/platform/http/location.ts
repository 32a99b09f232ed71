import { basePath, type ProviderRef } from './operation.ts';

/** The path of a resource of the provider, for the header Location. */
export function locationOf({ countryCode, code }: ProviderRef, ...segments: string[]): string {
  const base = basePath
    .replace('{assetProviderCountryCode}', encodeURIComponent(countryCode))
    .replace('{assetProviderCode}', encodeURIComponent(code));
  return [base, ...segments.map(encodeURIComponent)].join('/');
}
