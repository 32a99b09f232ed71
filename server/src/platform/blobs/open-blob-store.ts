import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireOwnDataFolder } from '../data-folder.ts';
import { UserError } from '../user-error.ts';
import type { BlobStore } from './blob-store.ts';
import { createFolder, fileStore } from './file-store.ts';
import { measuredStore } from './measured-store.ts';
import type { S3Location } from './s3-store.ts';

export type BlobLocation = { folder: string } | S3Location;

/** Opens the store at a location, by default the folder `blobs` of the data folder. */
export async function openBlobStore(
  location: BlobLocation | undefined,
  dataDir: string,
): Promise<BlobStore> {
  if (location && 'bucket' in location) {
    // On demand: the SDK is large, and a folder does not need it.
    const { s3Store } = await import('./s3-store.ts');
    return measuredStore(s3Store(location));
  }
  if (!location) requireOwnDataFolder(dataDir);
  const folder = resolve(location?.folder ?? join(dataDir, 'blobs'));
  try {
    await createFolder(folder);
    // With the slash, this fails for anything but a folder.
    await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`BLOB_URL: files cannot be kept in the folder ${folder} (${code}).`);
  }
  return measuredStore(fileStore(folder));
}

const expectedForms =
  'must be a folder such as file:///var/lib/motorpool/blobs, or a bucket such as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1';

/** Errors do not repeat the value: it may contain a secret. */
export function parseBlobUrl(text: string): BlobLocation {
  const url = URL.parse(text);
  if (url?.protocol === 'file:') return { folder: parseFolder(text) };
  if (url?.protocol === 's3:') return parseBucket(url);
  throw new Error(`${expectedForms}.`);
}

function parseFolder(text: string): string {
  // URL parsing would silently turn a relative path into an absolute one.
  if (!/^file:\/(\/\/)?[^/]/i.test(text))
    throw new Error(`${expectedForms}; the folder begins with /.`);
  try {
    return fileURLToPath(text);
  } catch (error) {
    throw new Error(`${expectedForms}: ${(error as Error).message}.`);
  }
}

function parseBucket(url: URL): S3Location {
  if (url.username || url.password)
    throw new Error(
      'takes no credentials: the AWS SDK finds them, such as in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  const unknown = [...url.searchParams.keys()].find(
    (name) => !['endpoint', 'region'].includes(name),
  );
  if (unknown !== undefined)
    throw new Error(`takes the parameters endpoint and region, not "${unknown}".`);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host) || url.hash)
    throw new Error(`${expectedForms}.`);
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  const region = url.searchParams.get('region') ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new Error('has an endpoint that is no http or https address.');
  if (region !== undefined && !/^[a-z0-9-]+$/i.test(region))
    throw new Error('has a region that is no name such as eu-central-1.');
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (!/^[\w/.-]*$/.test(prefix))
    throw new Error('has a prefix with other characters than letters, digits and any of _ . - /.');
  return { bucket: url.host, prefix, endpoint, region };
}
