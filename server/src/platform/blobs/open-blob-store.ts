import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../user-error.ts';
import type { BlobStore } from './blob-store.ts';
import { fileStore, makeFolder } from './file-store.ts';
import type { S3Location } from './s3-store.ts';

export type BlobLocation = { folder: string } | S3Location;

/** Opens the store of a location; without one it is the folder `blobs` of the data folder. */
export async function openBlobStore(
  location: BlobLocation | undefined,
  dataDir: string,
): Promise<BlobStore> {
  if (location && 'bucket' in location) {
    // The SDK is large, and a folder does without it.
    const { s3Store } = await import('./s3-store.ts');
    return s3Store(location);
  }
  const folder = resolve(location?.folder ?? join(dataDir, 'blobs'));
  try {
    await makeFolder(folder);
    // The slash: it has to be a folder.
    await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`BLOB_URL: files cannot be kept in the folder ${folder} (${code}).`);
  }
  return fileStore(folder);
}

const forms =
  'must be a folder such as file:///var/lib/motorpool/blobs, or a bucket such as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1';

/** Reads a BLOB_URL. What is wrong is said without repeating it: it may hold a secret. */
export function parseBlobUrl(text: string): BlobLocation {
  const url = URL.parse(text);
  if (url?.protocol === 'file:') return { folder: folderOf(text) };
  if (url?.protocol === 's3:') return bucketOf(url);
  throw new Error(`${forms}.`);
}

function folderOf(text: string): string {
  // Without the slash a URL would silently take a relative path for an absolute one.
  if (!/^file:\/(\/\/)?[^/]/i.test(text)) throw new Error(`${forms}; the folder begins with /.`);
  try {
    return fileURLToPath(text);
  } catch (error) {
    throw new Error(`${forms}: ${(error as Error).message}.`);
  }
}

function bucketOf(url: URL): S3Location {
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
    throw new Error(`${forms}.`);
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
