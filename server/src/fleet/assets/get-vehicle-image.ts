import Type from 'typebox';
import { NoSuchBlob } from '../../platform/blobs/blob-store.ts';
import { includesEtag } from '../../platform/http/etag.ts';
import {
  type OperationResult,
  operation,
  type ProviderRef,
} from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { ImageFormat } from '../../platform/images/rendition.ts';
import type { Dependencies } from '../dependencies.ts';
import { storageProblem } from '../files/public.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { acceptedFormat } from './accepted-format.ts';
import { readImageFile } from './image-store.ts';
import { imageEtag, imageWidths, wholeSize } from './vehicle-image.ts';

const QuerySchema = Type.Object(
  {
    width: Type.Optional(
      Type.Enum([...imageWidths], {
        type: 'integer',
        description:
          'The width in pixels. An image that is narrower comes as it is; without a width, it comes as a whole.',
        examples: [640],
      }),
    ),
  },
  { additionalProperties: false },
);

const cachingHeaders = {
  ETag: 'Names this image in this format: for If-None-Match, and for If-Match of an upload.',
  'Cache-Control': 'Private: to be asked for again, which 304 answers while it is the same.',
  Vary: 'Accept.',
};

export const getVehicleImage = operation({
  id: 'getVehicleImage',
  method: 'GET',
  path: '/{vehicleId}/image',
  tag: 'Assets',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Get the image of a vehicle',
  description:
    'Answers the image that was put, as AVIF where Accept names it, and else as WebP. A vehicle without one is shown by the `defaultImage` of ' +
    'its asset.',
  parameters: vehicleIdParameter,
  query: { schema: QuerySchema },
  requestHeaders: {
    Accept: 'image/webp, image/avif or both, with the preferences of the client.',
    'If-None-Match': 'ETags that the client has: 304 when this is one of them.',
  },
  responses: {
    200: {
      description: 'The image.',
      bytes: ['image/webp', 'image/avif'],
      headers: cachingHeaders,
    },
    304: { description: 'The client has this image.', headers: cachingHeaders },
  },
  notFound: ['vehicle', 'image'],
  problems: { 406: 'Accept excludes both WebP and AVIF.' },
  async handler({ provider, parameters, query, header }, dependencies: Dependencies) {
    const { vehicleId } = parameters;
    const format = acceptedFormat(header('accept'));
    if (!format) {
      await requireVehicle(dependencies.db, provider, vehicleId);
      throw notAcceptable();
    }
    const size = query.width ?? wholeSize;
    return sendImage(dependencies, { provider, vehicleId, size, format }, header('if-none-match'));
  },
});

type Selected = { provider: ProviderRef; vehicleId: string; size: number; format: ImageFormat };

async function sendImage(
  { db, blobs }: Pick<Dependencies, 'db' | 'blobs'>,
  selected: Selected,
  ifNoneMatch: string | undefined,
): Promise<OperationResult<200 | 304>> {
  const { provider, vehicleId, size, format } = selected;
  const file = await readImageFile(db, provider, vehicleId, size, format);
  if (!file) {
    await requireVehicle(db, provider, vehicleId);
    throw notFound('image');
  }
  const etag = imageEtag(file.uuid, format);
  const caching = { etag, 'cache-control': 'private, no-cache', vary: 'Accept' };
  if (includesEtag(ifNoneMatch, etag)) return { status: 304, headers: caching };
  try {
    const body = await blobs.get(file.object_key);
    const type = { 'content-type': `image/${format}`, 'content-length': String(file.bytes) };
    return { status: 200, headers: { ...caching, ...type }, body };
  } catch (error) {
    if (!(error instanceof NoSuchBlob)) throw storageProblem(error);
    // Removed or replaced since it was read: retried with the current record.
    const current = await readImageFile(db, provider, vehicleId, size, format);
    if (current?.object_key === file.object_key) throw error;
    return sendImage({ db, blobs }, selected, ifNoneMatch);
  }
}

function notAcceptable(): Problem {
  return new Problem(406, 'not-acceptable', 'No acceptable representation', {
    detail: 'The image is sent as image/webp or image/avif, and Accept excludes both.',
    headers: { vary: 'Accept' },
  });
}
