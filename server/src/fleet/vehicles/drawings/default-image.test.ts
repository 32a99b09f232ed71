import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../testing/test-service.ts';
import { models } from '../demo/models.ts';
import { bodyTypeOf } from './body-type.ts';
import { defaultImageOf, defaultImages, isDefaultImage } from './default-image.ts';
import { bodyTypes } from './shapes.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('the body type follows from what is known of a vehicle', () => {
  test.each([
    ['small-car', 'VW', 'e-up!', '32.3 kWh', 4],
    ['small-car', 'VW', 'Polo', '1.0 TSI', 5],
    ['small-car', 'Fiat', '500', undefined, 4],
    ['small-car', 'Renault', 'Zoé', 'R110', 5],
    ['small-car', 'Peugeot', 'e-208', '50 kWh', 5],
    ['small-car', 'Smart', 'EQ fortwo', undefined, 2],
    ['hatchback', 'VW', 'Golf', '1.5 TSI', 5],
    ['hatchback', 'Volkswagen', 'ID.3', 'Pro', 5],
    ['hatchback', 'Peugeot', '308', 'BlueHDi', 5],
    ['hatchback', 'BMW', '1er', '118i', 5],
    ['hatchback', 'Renault', 'Mégane', 'E-Tech', 5],
    ['estate', 'VW', 'Passat', 'Variant 2.0 TDI', 5],
    ['estate', 'Škoda', 'Octavia', 'Combi RS', 5],
    ['estate', 'BMW', '320d', 'Touring', 5],
    ['estate', 'Audi', 'A6 Avant', undefined, 5],
    ['estate', 'Ford', 'Focus', 'Turnier', 5],
    ['estate', 'Mercedes-Benz', 'E-Klasse', 'E 220 d T (S213)', 5],
    ['estate', 'Volvo', 'V60', 'T6 Recharge AWD', 5],
    ['estate', 'Toyota', 'Corolla', 'Touring Sports', 5],
    ['saloon', 'Tesla', 'Model 3', 'Long Range', 5],
    ['saloon', 'BMW', '5er', '520d', 5],
    ['saloon', 'Mercedes-Benz', 'C-Klasse', 'C 220 d', 5],
    ['saloon', 'Audi', 'A4', 'Limousine', 5],
    ['saloon', 'VW', 'ID.7', 'Pro', 5],
    ['suv', 'VW', 'Tiguan', '2.0 TDI', 5],
    ['suv', 'VW', 'ID. 4', 'Pro', 5],
    ['suv', 'Toyota', 'Yaris Cross', 'Hybrid', 5],
    ['suv', 'Citroën', 'C3 Aircross', undefined, 5],
    ['suv', 'Peugeot', '3008', 'Hybrid', 5],
    ['suv', 'Mini', 'Countryman', undefined, 5],
    ['van', 'VW', 'Touran', '2.0 TDI', 7],
    ['van', 'VW', 'ID. Buzz', 'Pro', 5],
    ['van', 'BMW', '2er', 'Active Tourer', 5],
    ['van', 'Citroën', 'Berlingo', 'Feel', 5],
    ['van', 'VW', 'T6.1', 'Kombi', 9],
    ['van', 'Unknown', 'Unknown', undefined, 9],
    ['transporter', 'VW', 'ID. Buzz Cargo', '77 kWh', 3],
    ['transporter', 'Mercedes-Benz', 'Sprinter', '315 CDI', 3],
    ['transporter', 'Citroën', 'Berlingo', 'Van BlueHDi', 3],
    ['transporter', 'VW', 'Transporter', 'T6.1', 3],
    ['transporter', 'Renault', 'Kangoo', undefined, undefined],
    ['transporter', 'Iveco', 'Daily', '35S16', 3],
    ['pickup', 'Ford', 'Ranger', 'Wildtrak', 5],
    ['pickup', 'VW', 'Amarok', undefined, 5],
    ['pickup', 'Toyota', 'HILUX', 'Double Cab', 5],
    ['hatchback', undefined, undefined, undefined, undefined],
  ] as const)('%s: %s %s %s with %s seats', (bodyType, vendor, model, variant, seats) => {
    expect(bodyTypeOf({ vendor, model, variant, seats })).toBe(bodyType);
  });

  test('so that the vans of the demo are vans, and its cars are none', () => {
    for (const model of models) {
      const isTransporter = bodyTypeOf(model) === 'transporter';
      expect([model.model, isTransporter]).toEqual([model.model, /van/.test(model.role)]);
    }
  });
});

describe('every drawing', () => {
  test.each(bodyTypes)(
    '%s is an image that has neither scripts nor references',
    async (bodyType) => {
      const file = defaultImages.find(({ name }) => name === bodyType);
      const text = String(file?.content);
      expect(text).not.toMatch(/<script|<foreignObject|\bhref|\bon\w+=|style=|url\((?!#)/i);
      const { format, width, height } = await sharp(file?.content).metadata();
      expect([format, width, height]).toEqual(['svg', 640, 300]);
      const { channels } = await sharp(file?.content).stats();
      expect(channels[3]?.mean).toBeGreaterThan(30);
    },
  );

  test('differs from the others', () => {
    expect(new Set(defaultImages.map(({ content }) => String(content))).size).toBe(8);
  });
});

describe('the defaultImage of a vehicle', () => {
  test('is loaded without a token by any page, and cached for ever', async () => {
    const { json } = await service.call('PUT', '/DE*ABC*V1', { information: { model: 'Crafter' } });
    const { defaultImage } = json.asset;
    expect(defaultImage).toMatch(/^\/vehicle-images\/transporter-[0-9a-f]{12}\.svg$/);
    const { status, headers, text } = await service.send({ path: defaultImage });
    expect([status, text.startsWith('<svg')]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const known = { 'if-none-match': String(headers.etag) };
    expect((await service.send({ path: defaultImage, headers: known })).status).toBe(304);
    expect((await service.send({ method: 'HEAD', path: defaultImage })).status).toBe(200);
  });

  test('of another release leads to the present one, and no other path to anything', async () => {
    const present = defaultImageOf({ model: 'Golf' });
    const { status, headers } = await service.send({
      path: '/vehicle-images/hatchback-000000000000.svg',
    });
    expect([status, headers.location, headers['cache-control']]).toEqual([
      307,
      present,
      'no-cache',
    ]);
    for (const path of [
      'hatchback.svg',
      'boat-000000000000.svg',
      'hatchback-000000000000.png',
      '..%2f..%2fpackage.json',
      '',
    ])
      expect((await service.send({ path: `/vehicle-images/${path}` })).status, path).toBe(404);
  });

  test('is its own where it was written with one, and comes and goes with that', async () => {
    const own = 'https://images.example.com/1.png';
    const put = async (defaultImage: string | undefined, model = 'Golf') =>
      (await service.call('PUT', '/DE*ABC*V2', { asset: { defaultImage }, information: { model } }))
        .json.asset.defaultImage;
    const [golf, crafter] = [
      defaultImageOf({ model: 'Golf' }),
      defaultImageOf({ model: 'Crafter' }),
    ];
    expect(await put(undefined)).toBe(golf);
    expect(await put(own)).toBe(own);
    expect(await put(golf, 'Crafter')).toBe(crafter);
    expect(await put(`${service.url}${golf}`, 'Crafter')).toBe(crafter);
    expect(await put('/vehicle-images/suv-000000000000.svg')).toBe(golf);
  });

  test('is in the folder of the drawings, and nowhere above it', async () => {
    for (const path of [
      '../realms/DE-ABC/account',
      'a/../../realms',
      '..',
      '%2e%2e/realms',
      'a?b',
      'a#b',
    ]) {
      const asset = { defaultImage: `/vehicle-images/${path}` };
      expect((await service.call('PUT', '/DE*ABC*V1', { asset })).status, path).toBe(400);
    }
  });

  test('is recognised at any address of the service, and nothing else is', () => {
    for (const { path } of defaultImages) {
      expect(isDefaultImage(path)).toBe(true);
      expect(isDefaultImage(`HTTPS://fleet.example.com${path}`)).toBe(true);
    }
    for (const url of [
      'https://x.example/1.svg',
      '/vehicle-images/suv.svg',
      'https://x.example/a/vehicle-images/suv-000000000000.svg',
    ])
      expect(isDefaultImage(url)).toBe(false);
  });

  test('can be searched by', async () => {
    await service.call('PUT', '/DE*ABC*V3', { information: { model: 'Amarok' } });
    const filters = [{ field: 'asset.defaultImage', operator: 'contains', value: '/pickup-' }];
    const { json } = await service.call('POST', '/vehicles', { filters });
    expect(json.items.map((item: { asset: { id: string } }) => item.asset.id)).toEqual([
      'DE*ABC*V3',
    ]);
  });
});
