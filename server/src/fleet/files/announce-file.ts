import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FileOwner } from '../module.ts';
import { requireVehicle } from '../vehicles/public.ts';
import { type Blob, BlobSchema, exampleBlob } from './blob.ts';
import { entryKey, entryParameters, entryPath } from './file-owner.ts';

const BlobRequestSchema = Type.Object(
  {
    filename: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
      description: 'The name under which the file is saved again; without control characters.',
      examples: ['invoice.pdf'],
    }),
    contentType: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern:
          '^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(; ?charset=[A-Za-z0-9_-]+)?$',
        default: 'application/octet-stream',
        description: 'A media type such as image/png, or text/plain; charset=utf-8.',
        examples: ['application/pdf'],
      }),
    ),
    uuid: Type.Optional(Type.Unknown({ readOnly: true, description: 'Made by the service.' })),
    uploaded: Type.Optional(
      Type.Unknown({ readOnly: true, description: 'Set by the service when the bytes are there.' }),
    ),
  },
  { $id: 'BlobRequest', additionalProperties: false },
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
    notFound: ['vehicle', owner.noun],
    problems: { 409: `The ${owner.noun} has ${maxFiles} files already.` },
    async handler({ provider, parameters, body }, { db, clock }: Dependencies) {
      const { vehicleId, entryId } = entryKey(owner, parameters);
      const { filename, contentType = 'application/octet-stream' } = body;
      const [announced] = await db.transaction(async (tx) => {
        await requireVehicle(tx, provider, vehicleId, 'for key share');
        await requireSpace(tx, owner, [provider.id, vehicleId, entryId, owner.segment]);
        return tx.query<{ uuid: string }>(insertFile(owner), [
          provider.id,
          vehicleId,
          entryId,
          owner.segment,
          filename,
          contentType,
          clock.now(),
        ]);
      });
      if (!announced) throw notFound(owner.noun);
      const blob: Blob = { uuid: announced.uuid, filename, uploaded: false };
      const location = locationOf(provider, vehicleId, 'blobs', owner.segment, entryId, blob.uuid);
      return { status: 201, headers: { location }, body: blob };
    },
  });
}

// Bounds the size of a page of entries.
const maxFiles = 200;

/** 409 when the entry has as many files as it may; serializes announcements. */
async function requireSpace(
  tx: Queryable,
  { table, noun }: FileOwner,
  key: readonly string[],
): Promise<void> {
  const [entry] = await tx.query<{ files: number }>(
    `select (
       select count(*) from blobs b where b.provider = $1 and b.owner = $4 and b.entry_id = $3
     ) as files
     from ${table} where provider = $1 and vehicle_id = $2 and id = $3 for no key update`,
    key,
  );
  if (!entry || entry.files < maxFiles) return;
  throw new Problem(409, 'too-many-files', 'It has too many files', {
    detail: `The ${noun} has ${entry.files} files, and may have ${maxFiles}: remove one first.`,
  });
}

/**
 * Locks the entry, so that a concurrent deletion leaves no file without one. Files are listed by created_at:
 * one announced within the same millisecond as another comes after it.
 */
function insertFile({ table }: FileOwner): string {
  return `
    insert into blobs (provider, vehicle_id, owner, entry_id, filename, content_type, created_at)
    select provider, vehicle_id, $4, id, $5, $6, greatest($7::timestamptz, (
      select max(b.created_at) + interval '1 microsecond' from blobs b
      where b.provider = $1 and b.owner = $4 and b.entry_id = $3
    ))
    from ${table}
    where provider = $1 and vehicle_id = $2 and id = $3
    for key share
    returning uuid`;
}
