import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { halves, pixelBomb, pngClaiming, showsHalves } from '../../testing/images.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { storedFiles, upload } from '../../testing/uploads.ts';
import { putVehicleImage } from './put-vehicle-image.ts';
import { imageLimitBytes } from './vehicle-image.ts';

let service: TestService;
const vehicle = '/DE*ABC*V1';
const path = `${vehicle}/image`;

beforeAll(async () => {
  service = await startTestService({ uploadLimitBytes: 100 * 1_048_576 });
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.call('PUT', vehicle, { information: { vendor: 'VW', model: 'ID.3' } });
  await service.call('DELETE', path);
});

const put = (body: Buffer, headers: Record<string, string | undefined> = {}) =>
  upload(service, path, body, headers);
const fetchImage = async (query = '', headers: Record<string, string> = {}) => {
  const answer = await fetch(`${service.url}/api/fleets/v1/DE/ABC${path}${query}`, {
    headers: { authorization: `Bearer ${await service.token()}`, ...headers },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
};
const assetOf = async () => (await service.call('GET', vehicle)).json.asset;

describe('an image', () => {
  test('has the sizes of its files as they are stored, whatever is said of them', async () => {
    const { images } = service.dependencies;
    const convert: typeof images.convert = async (...given) => {
      const converted = await images.convert(...given);
      if ('failure' in converted) return converted;
      return { renditions: converted.renditions.map((one) => ({ ...one, bytes: -1 })) };
    };
    const bytes = Readable.from([await halves().png().toBuffer()]);
    const input = {
      provider: { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
      parameters: { vehicleId: vehicle.slice(1) },
      stillAuthorized() {},
      header: () => undefined,
      bytes,
    };
    const dependencies = { ...service.dependencies, images: { convert } };
    expect((await putVehicleImage.handler(input as never, dependencies)).status).toBe(201);
    const sizes = await service.db.query<{ bytes: number }>(
      'select bytes from vehicle_image_files',
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.min(...sizes.map((one) => Number(one.bytes)))).toBeGreaterThan(0);
  });

  test.each(['png', 'jpeg', 'webp', 'avif'] as const)('of the type %s is kept', async (format) => {
    const source = await halves().toFormat(format).toBuffer();
    const { status, json } = await put(source, { 'content-type': 'text/plain' });
    expect([status, json]).toEqual([201, { blobUuid: json.blobUuid, width: 640, height: 320 }]);
    expect((await assetOf()).blobUuid).toBe(json.blobUuid);
    const { headers, bytes } = await fetchImage();
    expect(headers.get('content-type')).toBe('image/webp');
    expect(await showsHalves(bytes)).toBe(true);
  });

  test('comes in the widths that are asked for, and is never enlarged', async () => {
    await put(await halves(1_000, 500).png().toBuffer());
    for (const [query, width] of [
      ['?width=320', 320],
      ['?width=640', 640],
      ['?width=1280', 1_000],
      ['', 1_000],
    ] as const) {
      for (const format of ['webp', 'avif']) {
        const { headers, bytes } = await fetchImage(query, { accept: `image/${format}` });
        expect(headers.get('content-type')).toBe(`image/${format}`);
        const found = await sharp(bytes).metadata();
        expect([found.width, found.height]).toEqual([width, width / 2]);
      }
    }
    for (const query of ['?width=321', '?width=0', '?width=big', '?height=1'])
      expect((await fetchImage(query)).status).toBe(400);
  });

  test('larger than the largest size is scaled to it as a whole', async () => {
    const { json } = await put(await halves(4_000, 2_000).jpeg().toBuffer());
    expect([json.width, json.height]).toEqual([1_920, 960]);
  });

  test('is turned upright, and loses its metadata with the position', async () => {
    const upright = await halves(400, 200).png().toBuffer();
    const tagged = await sharp(upright)
      .rotate(270)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'secret' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .toBuffer();
    expect((await sharp(tagged).metadata()).orientation).toBe(6);
    expect((await sharp(tagged).metadata()).exif?.includes('secret')).toBe(true);
    const { json } = await put(tagged);
    expect([json.width, json.height]).toEqual([400, 200]);
    for (const accept of ['image/webp', 'image/avif']) {
      for (const query of ['', '?width=320']) {
        const { bytes } = await fetchImage(query, { accept });
        const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
        expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
        expect(await showsHalves(bytes)).toBe(true);
        expect(bytes.includes('secret')).toBe(false);
      }
    }
  });

  test('in CMYK, with 16 bits, with transparency or in grey is kept in sRGB', async () => {
    const sources = [
      await halves().toColourspace('cmyk').jpeg().toBuffer(),
      await halves().toColourspace('rgb16').png().toBuffer(),
      await halves().ensureAlpha(0.5).png().toBuffer(),
    ];
    for (const source of sources) {
      expect((await put(source)).status).toBeLessThan(300);
      const { bytes } = await fetchImage();
      const { space, depth } = await sharp(bytes).metadata();
      expect([space, depth, await showsHalves(bytes)]).toEqual(['srgb', 'uchar', true]);
    }
    expect((await put(await halves().grayscale().png().toBuffer())).status).toBe(200);
  });

  test('that is animated is kept as its first picture', async () => {
    const frames = await Promise.all(
      [halves(64, 32), halves(64, 32).negate()].map((frame) => frame.png().toBuffer()),
    );
    const animated = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(animated).metadata()).pages).toBe(2);
    expect((await put(animated)).json).toMatchObject({ width: 64, height: 32 });
    const { bytes } = await fetchImage();
    expect((await sharp(bytes).metadata()).pages).toBeUndefined();
    expect(await showsHalves(bytes)).toBe(true);
  });
});

describe('refused, and nothing is left behind', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const refusals: [string, () => Promise<Buffer> | Buffer, number, string][] = [
    ['nothing', () => Buffer.alloc(0), 415, 'unsupported-image'],
    ['text', () => Buffer.from('no image'), 415, 'unsupported-image'],
    ['an SVG', () => Buffer.from(svg), 415, 'unsupported-image'],
    ['a GIF', () => halves(8, 8).gif().toBuffer(), 415, 'unsupported-image'],
    ['a TIFF', () => halves(8, 8).tiff().toBuffer(), 415, 'unsupported-image'],
    ['a PDF', () => Buffer.from('%PDF-1.7\n'.padEnd(500)), 415, 'unsupported-image'],
    [
      'a HEIC',
      () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'.padEnd(500), 'latin1'),
      415,
      'unsupported-image',
    ],
    [
      'a JPEG signature with an SVG',
      () => Buffer.concat([Buffer.from([255, 216, 255]), Buffer.from(svg)]),
      422,
      'image-unreadable',
    ],
    ['half a JPEG', async () => half(await halves().jpeg().toBuffer()), 422, 'image-unreadable'],
    ['half a PNG', async () => half(await noise().png().toBuffer()), 422, 'image-unreadable'],
    ['half a WebP', async () => half(await noise().webp().toBuffer()), 422, 'image-unreadable'],
    ['half an AVIF', async () => half(await noise().avif().toBuffer()), 422, 'image-unreadable'],
    ['a PNG that claims 60000 × 60000', () => pngClaiming(60_000, 60_000), 422, 'image-too-large'],
    [
      'a PNG that claims 2³¹ pixels a side',
      () => pngClaiming(0x7fff_ffff, 0x7fff_ffff),
      422,
      'image-unreadable',
    ],
    ['51 megapixels in few bytes', () => pixelBomb(8_192, 6_145), 422, 'image-too-large'],
  ];
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
  const noise = () =>
    sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    });

  test.each(refusals)('%s', async (_name, make, status, kind) => {
    const answer = await put(await make(), { 'content-type': 'image/png' });
    expect([answer.status, answer.json.type]).toEqual([status, problemType(kind)]);
    expect(await storedFiles(service)).toEqual([]);
    expect(await service.db.query('select key from stored_objects')).toEqual([]);
    expect((await assetOf()).blobUuid).toBeUndefined();
  });

  test('a byte more than 20 MiB, announced or not', async () => {
    const image = await halves().jpeg().toBuffer();
    const padded = Buffer.concat([image, Buffer.alloc(imageLimitBytes + 1 - image.length)]);
    expect((await put(padded)).status).toBe(413);
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined };
    expect((await put(padded, chunked)).status).toBe(413);
    expect(await storedFiles(service)).toEqual([]);
    expect((await put(padded.subarray(0, imageLimitBytes))).status).toBe(201);
  });

  test('compressed or partial bytes, and those of no vehicle', async () => {
    const image = await halves().png().toBuffer();
    expect((await put(image, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await put(image, { 'content-range': 'bytes 0-1/2' })).status).toBe(400);
    expect((await upload(service, '/DE*ABC*nowhere/image', image)).status).toBe(404);
    expect(await storedFiles(service)).toEqual([]);
  });
});

test('what follows an image in its file is not kept', async () => {
  const image = await halves().jpeg().toBuffer();
  const polyglot = Buffer.concat([image, Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
  expect((await put(polyglot)).status).toBe(201);
  for (const accept of ['image/webp', 'image/avif'])
    expect((await fetchImage('', { accept })).bytes.includes('script')).toBe(false);
});

describe('replacing', () => {
  test('leaves the files of the last image alone, also of many at once', async () => {
    const image = await halves(64, 32).png().toBuffer();
    expect((await put(image)).status).toBe(201);
    const answers = await Promise.all([1, 2, 3, 4].map(() => put(image)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await storedFiles(service)).toHaveLength(8);
    const uuids = await service.db.query('select distinct uuid from vehicle_image_files');
    expect(uuids).toEqual([{ uuid: (await assetOf()).blobUuid }]);
    const kept = await service.db.query('select count(*) as count from stored_objects');
    expect(kept).toEqual([{ count: 8 }]);
  });

  test('goes by If-Match and If-None-Match', async () => {
    const image = await halves(64, 32).png().toBuffer();
    expect((await put(image, { 'if-match': '*' })).status).toBe(412);
    expect((await put(image, { 'if-none-match': '*' })).status).toBe(201);
    expect((await put(image, { 'if-none-match': '*' })).status).toBe(412);
    const etag = String((await fetchImage('', { accept: 'image/avif' })).headers.get('etag'));
    expect((await put(image, { 'if-match': etag })).status).toBe(200);
    expect((await put(image, { 'if-match': etag })).status).toBe(412);
    const stale = await service.call('DELETE', path, undefined, { 'if-match': etag });
    expect(stale.status).toBe(412);
  });

  test('moves the ETag of the vehicle, and is in the audit trail', async () => {
    const before = (await service.call('GET', vehicle)).headers.etag;
    const { json } = await put(await halves(64, 32).png().toBuffer());
    expect((await service.call('GET', vehicle)).headers.etag).not.toBe(before);
    const [event] = (await service.call('POST', '/audit/search')).json.items;
    expect(event.changes).toEqual({ blobUuid: { after: json.blobUuid } });
    expect(event.operation).toBe('putVehicleImage');
  });
});

test('a vehicle that is sent back keeps its image and its drawing', async () => {
  await put(await halves(64, 32).png().toBuffer());
  const read = (await service.call('GET', vehicle)).json;
  expect(read.asset).toHaveProperty('blobUuid');
  const again = await service.call('PUT', vehicle, read);
  expect([again.status, again.json]).toEqual([200, read]);
  const other = await service.call('PUT', vehicle, {
    asset: { ...read.asset, blobUuid: '00000000-0000-4000-8000-000000000000' },
    information: { vendor: 'VW', model: 'Crafter' },
  });
  expect(other.json.asset.blobUuid).toBe(read.asset.blobUuid);
  expect(other.json.asset.defaultImage).toContain('/transporter-');
});

test('deleting removes all files; a second call answers 404', async () => {
  await put(await halves(64, 32).png().toBuffer());
  expect((await service.call('DELETE', path)).status).toBe(204);
  expect(await storedFiles(service)).toEqual([]);
  expect(await assetOf()).not.toHaveProperty('blobUuid');
  expect((await service.call('DELETE', path)).status).toBe(404);
  expect((await fetchImage()).status).toBe(404);
});
