import { basePath, type ProviderRef } from './operation.ts';

/** The path of something that belongs to the provider, as the header Location names it. */
export function locationOf({ countryCode, code }: ProviderRef, ...segments: string[]): string {
  const base = basePath
    .replace('{assetProviderCountryCode}', encodeURIComponent(countryCode))
    .replace('{assetProviderCode}', encodeURIComponent(code));
  return [base, ...segments.map(encodeURIComponent)].join('/');
}
