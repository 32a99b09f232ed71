import type { ProviderRef } from '../../platform/http/operation.ts';
import { type PathParameter, uuidParameter } from '../../platform/http/path-parameter.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import type { FileOwner } from '../module.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import { exampleBlob } from './blob.ts';

export function entryPath({ segment, parameter, ofProvider }: FileOwner): string {
  return `${ofProvider ? '' : '/{vehicleId}'}/blobs/${segment}/{${parameter}}`;
}

export function filePath(owner: FileOwner): string {
  return `${entryPath(owner)}/{blobUuid}`;
}

type Parameters = Record<string, PathParameter>;

export function entryParameters({ noun, parameter, exampleId, ofProvider }: FileOwner): Parameters {
  return {
    ...(!ofProvider && vehicleIdParameter),
    [parameter]: uuidParameter(`The id of the ${noun}.`, exampleId),
  };
}

export function fileParameters(owner: FileOwner): Parameters {
  return {
    ...entryParameters(owner),
    blobUuid: uuidParameter(
      'The UUID of the file, as its announcement answered it.',
      exampleBlob.uuid,
    ),
  };
}

/** What may be missing on the way to an entry. */
export function entryResources({ noun, ofProvider }: FileOwner): string[] {
  return ofProvider ? [noun] : ['vehicle', noun];
}

export function fixedProblem({ fixed }: FileOwner): Record<number, string> {
  return fixed ? { 409: fixed.description } : {};
}

/** The vehicle is null where the entry is one of the provider. */
export type EntryKey = { vehicleId: string | null; entryId: string };

export function entryKey(owner: FileOwner, parameters: Record<string, string>): EntryKey {
  const { vehicleId = null, [owner.parameter]: entryId = '' } = parameters;
  return { vehicleId, entryId: requireUuid(entryId, owner.noun) };
}

/** The values of `isFile`. */
export function fileKey(
  owner: FileOwner,
  provider: ProviderRef,
  parameters: Record<string, string>,
): (string | null)[] {
  const { vehicleId, entryId } = entryKey(owner, parameters);
  const { blobUuid = '' } = parameters;
  return [provider.id, vehicleId, owner.segment, entryId, requireUuid(blobUuid, 'file')];
}

export const isFile =
  'provider = $1 and vehicle_id is not distinct from $2 and owner = $3 and entry_id = $4 and uuid = $5';

/** In SQL: the entry that $1, $2 and $3 name. */
export function isEntry({ ofProvider }: FileOwner): string {
  return `provider = $1 and ${ofProvider ? '$2::text is null' : 'vehicle_id = $2'} and id = $3`;
}
