import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { type AnnouncedFile, announcedFileProperties } from '../announced-file.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FileOwner } from '../module.ts';
import { requireVehicle } from '../vehicles/public.ts';
import { type Blob, BlobSchema, exampleBlob, maxFiles } from './blob.ts';
import {
  type EntryKey,
  entryKey,
  entryParameters,
  entryPath,
  entryResources,
  isEntry,
} from './file-owner.ts';

const BlobRequestSchema = Type.Object(
  {
    ...announcedFileProperties,
    uuid: Type.Optional(Type.Unknown({ readOnly: true, description: 'Made by the service.' })),
    uploaded: Type.Optional(
      Type.Unknown({ readOnly: true, description: 'Set by the service when the bytes are there.' }),
    ),
  },
  { $id: 'AttachedFileRequest', additionalProperties: false },
);

export function announceFile(owner: FileOwner) {
  return operation({
    id: `announce${owner.name}File`,
    method: 'POST',
    path: entryPath(owner),
    tag: 'Files',
    role: 'editor',
    origin: 'motorpool',
    summary: `Announce a file of ${owner.phrase}`,
    description:
      `The first of two steps: the file gets its UUID and is listed among the blobs of the ${owner.noun}, not uploaded yet. ` +
      `The second is upload${owner.name}File.`,
    parameters: entryParameters(owner),
    body: {
      schema: BlobRequestSchema,
      required: true,
      examples: {
        document: {
          summary: 'A PDF',
          value: { filename: 'invoice.pdf', contentType: 'application/pdf' },
        },
      },
    },
    responses: {
      201: {
        description: 'The file, announced.',
        schema: BlobSchema,
        example: { ...exampleBlob, uploaded: false },
        headers: { Location: 'The path to put the bytes to, and to get them from.' },
      },
    },
    notFound: entryResources(owner),
    problems: { 409: `The ${owner.noun} has ${maxFiles} files already.` },
    async handler({ provider, parameters, body }, { db, clock }: Dependencies) {
      const key = entryKey(owner, parameters);
      const announced = await db.transaction(async (tx) => {
        if (key.vehicleId !== null)
          await requireVehicle(tx, provider, key.vehicleId, 'for key share');
        return announce(tx, owner, provider.id, key, body, clock.now());
      });
      if (announced === undefined) throw notFound(owner.noun);
      const blob: Blob = { uuid: announced, filename: body.filename, uploaded: false };
      const path = ['blobs', owner.segment, key.entryId, blob.uuid];
      const location = locationOf(
        provider,
        ...(key.vehicleId === null ? [] : [key.vehicleId]),
        ...path,
      );
      return { status: 201, headers: { location }, body: blob };
    },
  });
}

/** Announces a file of an entry; returns its UUID, or undefined without such an entry. */
export async function announce(
  tx: Queryable,
  owner: FileOwner,
  providerId: string,
  entry: EntryKey,
  { filename, contentType = 'application/octet-stream' }: AnnouncedFile,
  now: Date,
): Promise<string | undefined> {
  await requireSpace(tx, owner, providerId, entry);
  const [announced] = await tx.query<{ uuid: string }>(insertFile(owner), [
    providerId,
    entry.vehicleId,
    entry.entryId,
    owner.segment,
    filename,
    contentType,
    now,
  ]);
  return announced?.uuid;
}

// Bounds the size of a page of entries.

/** 409 when the entry has as many files as it may; serializes announcements. */
async function requireSpace(
  tx: Queryable,
  owner: FileOwner,
  providerId: string,
  { vehicleId, entryId }: EntryKey,
): Promise<void> {
  const lock = `select from ${owner.table} where ${isEntry(owner)} for no key update`;
  await tx.query(lock, [providerId, vehicleId, entryId]);
  // Apart: the statement that waits for the lock does not see what was announced meanwhile.
  const [entry] = await tx.query<{ files: number }>(countFiles, [
    providerId,
    owner.segment,
    entryId,
  ]);
  if (!entry || entry.files < maxFiles) return;
  throw new Problem(409, 'too-many-files', 'It has too many files', {
    detail: `The ${owner.noun} has ${entry.files} files, and may have ${maxFiles}: remove one first.`,
  });
}

const countFiles =
  'select count(*) as files from blobs where provider = $1 and owner = $2 and entry_id = $3';

/**
 * Locks the entry, so that a concurrent deletion leaves no file without one. Files are listed by created_at:
 * one announced within the same millisecond as another comes after it.
 */
function insertFile(owner: FileOwner): string {
  return `
    insert into blobs (provider, vehicle_id, owner, entry_id, filename, content_type, created_at)
    select provider, $2::text, $4, id, $5, $6, greatest($7::timestamptz, (
      select max(b.created_at) + interval '1 microsecond' from blobs b
      where b.provider = $1 and b.owner = $4 and b.entry_id = $3
    ))
    from ${owner.table}
    where ${isEntry(owner)}
    for key share
    returning uuid`;
}
