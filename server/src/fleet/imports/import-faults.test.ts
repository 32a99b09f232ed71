import { describe, expect, test } from 'vitest';
import { createTestImports } from '../../testing/test-imports.ts';

const { db, runImport, recordedDatabase, ids } = await createTestImports();

test('codes of another asset provider are faults, as of a vehicle that is put', async () => {
  const header = 'asset.id,asset.assetProviderCountryCode,asset.assetProviderCode\n';
  const lines = 'DE*ABC*C1,DE,ABC\nDE*ABC*C2,,\nDE*ABC*C3,FR,XYZ\n';
  const report = await runImport(Buffer.from(header + lines));
  expect(report.faults).toEqual([
    {
      line: 4,
      column: 'asset.assetProviderCountryCode',
      detail: 'asset.assetProviderCountryCode must be "DE", or its cell be empty.',
    },
    {
      line: 4,
      column: 'asset.assetProviderCode',
      detail: 'asset.assetProviderCode must be "ABC", or its cell be empty.',
    },
  ]);
});

describe('faults', () => {
  const header =
    'id,vin,model,seats,active,firstRegistrationDate,lastUpdated,blobUuid,odometer,lat,lng';
  /** Each record with its faults; a record may have several lines. */
  const lines: [string | Buffer, string[]][] = [
    ['DE*ABC*G1,,Golf,5,true,2024-02-29,2024-02-29T12:00:00+01:00,,1,,', []],
    ['DE*ABC*B1,,Golf,five,,,,,,,', ['information.seats must be a number.']],
    ['DE*ABC*G2,,"over\r\nthree\r\nlines",,,,,,,,', []],
    ['', []],
    ['DE*ABC*B2,,,,yes,,,,,,', ['asset.active must be a boolean.']],
    [
      'DE*ABC*B3,,"a\r\nb",1001,,2024-02-30,,,one,,',
      [
        'information.seats must be from 0 to 1000.',
        'information.firstRegistrationDate must be a calendar date such as 2024-02-29.',
        'status.odometer must be a number.',
      ],
    ],
    [
      'DE*ABC*B4,,,,,,yesterday,,,,',
      ['status.lastUpdated must be a date and time with its offset such as 2024-02-29T12:30:00Z.'],
    ],
    ['DE*ABC*B5,,,,,,,,1e999,,', ['status.odometer must be a number.']],
    ['DE*ABC*B6,,,,,,,,,52.5,', ['status.location.lng is required.']],
    ['DE*ABC*B7,,Golf', ['has 3 cells where the header has 11.']],
    ['DE*ABC*B8,,,,,,,,,,,', ['has 12 cells where the header has 11.']],
    [
      'FR*XYZ*B9,,,,,,,,,,',
      ['The vehicle id must begin with DE*ABC*, the codes of its asset provider.'],
    ],
    [
      'DE*ABC*B 10,,,,,,,,,,',
      ['After DE*ABC* the vehicle id must have 1 to 64 letters, digits or any of . _ -.'],
    ],
    [',,Golf,,,,,,,,', ['asset.id is required.']],
    [
      Buffer.from('DE*ABC*B11,,G\xf6lf,,,,,,,,', 'latin1'),
      ['information.model is not valid UTF-8.'],
    ],
    ['DE*ABC*B12,,a\0b,,,,,,,,', ['information.model must not contain NUL.']],
    // What names an uploaded image is ignored.
    [`DE*ABC*B13,${'9'.repeat(201)},,,,,,7,,,`, ['information.vin must have 1 to 200 characters.']],
    ['DE*ABC*G1,,Polo,,,,,,,,', ['DE*ABC*G1 stands on an earlier line already.']],
    ['DE*ABC*G3,,\uFFFD,,,,,,,,', []],
  ];
  const content = Buffer.concat(
    [header, ...lines.map(([line]) => line)].flatMap((line) => [
      Buffer.from(line as string),
      Buffer.from('\r\n'),
    ]),
  );

  function expectedIssues() {
    let next = 2;
    return lines.flatMap(([text, details]) => {
      const line = next;
      next += text.toString('latin1').split('\n').length;
      return details.map((detail) => ({ line, detail }));
    });
  }

  test('are all told, each by the line on which its record begins', async () => {
    const report = await runImport(content);
    expect(report.faults).toMatchObject(expectedIssues());
    expect(report).toMatchObject({ lines: 18, created: 3, faulty: 15, written: false });
    expect(await ids()).toEqual([]);
  });

  test('of the inspection are told as well', async () => {
    const { faults } = await runImport(
      'id,vehicleClass,lastInspectionDate,country\nDE*ABC*V1,N4,,\nDE*ABC*V2,N3,2999-01-01,UK\n',
    );
    expect(faults).toMatchObject([
      { line: 2, detail: expect.stringMatching(/^inspection\.vehicleClass must be one of M1, N1/) },
      { line: 3, detail: expect.stringMatching(/^inspection\.lastInspectionDate must not be in/) },
      { line: 3, detail: 'inspection.country: UK is not a country of ISO 3166-1.' },
    ]);
  });

  test('can be skipped, and the good lines are kept', async () => {
    const report = await runImport(content, true);
    expect(report.faults).toMatchObject(expectedIssues());
    expect(report).toMatchObject({ created: 3, faulty: 15, written: true });
    expect((await ids()).sort()).toEqual(['DE*ABC*G1', 'DE*ABC*G2', 'DE*ABC*G3']);
  });

  test('a vehicle that stands twice is found, however far apart', async () => {
    const repeated = Array.from({ length: 2_500 }, (_, index) => `DE*ABC*V${index}`);
    repeated[999] = 'DE*ABC*V998';
    repeated[2_400] = 'DE*ABC*V0';
    const { faults, written } = await runImport(`id\n${repeated.join('\n')}\n`);
    expect(faults).toMatchObject([
      { line: 1_001, detail: 'DE*ABC*V998 stands on an earlier line already.' },
      { line: 2_402, detail: 'DE*ABC*V0 stands on an earlier line already.' },
    ]);
    expect(written).toBe(false);
    expect(await ids()).toEqual([]);
  });
});

describe('VINs', () => {
  const header = 'asset.id,active,vin,seats\n';
  const content = (...lines: string[]) => header + lines.map((line) => `${line}\n`).join('');

  test('that another active vehicle has are faults, of two lines the later one', async () => {
    await runImport(content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,false,VIN2,2'));
    const lines = [
      'DE*ABC*V3,true,vin-1,5',
      'DE*ABC*V5,true,VIN5,5',
      'DE*ABC*V4,true,VIN 5,5',
      'DE*ABC*V6,false,VIN5,5',
      'DE*ABC*V7,true,VIN2,5',
    ];
    const faults = [
      { line: 2, detail: expect.stringContaining('DE*ABC*V1') },
      { line: 4, detail: expect.stringContaining('DE*ABC*V5') },
    ];
    const refused = await runImport(content(...lines));
    expect(refused).toMatchObject({ lines: 5, faulty: 2, faults, written: false });
    expect(await ids()).toHaveLength(2);
    const rest = await runImport(content(...lines), true);
    expect(rest).toMatchObject({ created: 3, overwritten: 0, faulty: 2, faults, written: true });
    expect((await ids()).sort()).toEqual(
      ['V1', 'V2', 'V5', 'V6', 'V7'].map((id) => `DE*ABC*${id}`),
    );
  });

  test('may be exchanged, and taken from a vehicle that the file deactivates', async () => {
    await runImport(content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,true,VIN2,2'));
    const exchanged = content('DE*ABC*V1,true,VIN2,2', 'DE*ABC*V2,true,VIN1,2');
    expect(await runImport(exchanged)).toMatchObject({ overwritten: 2, faulty: 0 });
    const replaced = content('DE*ABC*V3,true,VIN1,2', 'DE*ABC*V2,false,VIN1,2');
    expect(await runImport(replaced)).toMatchObject({ created: 1, overwritten: 1, faulty: 0 });
  });

  test('that vehicles share from before are no faults of lines that change nothing', async () => {
    await runImport(content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,false,VIN1,2'));
    await db.query(
      `update vehicles set active = true, item = replace(item, '"active":false', '"active":true')`,
    );
    const same = content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,true,VIN1,2', 'DE*ABC*V3,true,VIN3,2');
    expect(await runImport(same)).toMatchObject({ created: 1, overwritten: 2, faulty: 0 });
    const changed = content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,true,VIN1,3');
    expect(await runImport(changed)).toMatchObject({ faulty: 1, faults: [{ line: 3 }] });
    const changedFirst = content('DE*ABC*V2,true,VIN1,3', 'DE*ABC*V1,true,VIN1,2');
    expect(await runImport(changedFirst)).toMatchObject({ faulty: 1, faults: [{ line: 2 }] });
  });

  test('of many lines are found at once, whatever the order of their ids', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `DE*ABC*W${99 - index},true,VIN1,2`);
    const faults = lines.slice(1).map((_, index) => ({
      line: index + 3,
      detail: expect.stringContaining('DE*ABC*W99 '),
    }));
    const { statements, recorded } = recordedDatabase();
    const report = await runImport(content(...lines), true, false, { db: recorded });
    expect(report).toMatchObject({ created: 1, faulty: 59, faults, written: true });
    expect(await ids()).toEqual(['DE*ABC*W99']);
    expect(statements.filter((text) => text === 'savepoint batch')).toHaveLength(2);
  });

  test('that are passed on in a chain are followed for ten faults, and no further', async () => {
    const chain = (length: number, shift: number) =>
      Array.from(
        { length },
        (_, index) => `DE*ABC*C${index + 100},true,VIN${index + shift + 100},2`,
      );
    await runImport(content(...chain(40, 0)));
    const followed = content(...chain(9, 1).reverse());
    expect(await runImport(followed)).toMatchObject({ faulty: 9, written: false });
    await expect(runImport(content(...chain(39, 1)))).rejects.toThrow(
      /^Nothing was imported: many vehicles .* that of DE\*ABC\*C\d+ is taken/,
    );
  });

  test('are compared once all lines are written, those included that omit a signal', async () => {
    const withOdometer = (...lines: string[]) =>
      ['asset.id,active,vin,odometer', ...lines, ''].join('\n');
    const lines = ['DE*ABC*V1,true,VIN1,5', 'DE*ABC*V2,true,VIN2,-1', 'DE*ABC*V3,true,VIN2,5'];
    const report = await runImport(withOdometer(...lines), true);
    expect(report).toMatchObject({ created: 2, faulty: 1, faults: [{ line: 4 }] });
    expect(report.notStored).toHaveLength(1);
    const replaced = withOdometer('DE*ABC*V3,true,VIN2,5', 'DE*ABC*V2,false,VIN2,-1');
    expect(await runImport(replaced)).toMatchObject({ created: 1, overwritten: 1, faulty: 0 });
  });
});

test('lines that leave out signals in hundreds of combinations are refused', async () => {
  const columns = [
    'odometer',
    'fuelLevel',
    'tirePressureFrontLeft',
    'tirePressureFrontRight',
    'tirePressureRearLeft',
    'tirePressureRearRight',
    'reach',
    'nextServiceDistance',
  ];
  const header = ['asset.id', ...columns.map((name) => `status.${name}`)].join();
  const file = (combinations: number) =>
    [
      header,
      ...Array.from({ length: 300 }, (_, line) => {
        const pattern = line % combinations;
        return [
          `DE*ABC*G${line}`,
          ...columns.map((_, bit) => ((pattern >> bit) & 1 ? '-1e9' : '')),
        ].join();
      }),
      '',
    ].join('\n');
  expect(await runImport(file(150))).toMatchObject({ created: 300, written: true });
  await expect(runImport(file(250))).rejects.toThrow(
    /^Nothing was imported: lines 2 to 301 have too many combinations of signals/,
  );
});
