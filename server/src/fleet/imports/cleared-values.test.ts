import { expect, test } from 'vitest';
import { createTestImports } from '../../testing/test-imports.ts';

const { db, runImport, recordedDatabase } = await createTestImports();

const ids = [1, 2, 3].map((number) => `DE*ABC*V${number}`);
const linesOf = (cells: string) => ids.map((id) => `${id},${cells}\n`).join('');
const losses = async (csv: string, dryRun = false) => {
  const { cleared, positionTrackingDisabled } = await runImport(csv, true, dryRun);
  return { cleared, positionTrackingDisabled };
};
const none = { cleared: [], positionTrackingDisabled: 0 };

test('a report tells by column how many vehicles lose a stored value, also that of a dry run', async () => {
  await runImport(
    `id,model,seats,fuelLevel,inspection.fuel,defaultImage\n${linesOf('Golf,5,50,diesel,https://example.com/golf.png')}`,
  );
  const csv = [
    'id,fuel,vin,model,seats,fuelLevel,defaultImage',
    `${ids[0]},,,,,,`,
    `${ids[1]},diesel,,Polo,,500,`,
    `${ids[2]},,,,many,,`,
    'DE*ABC*V4,,,,,,',
    '',
  ].join('\n');
  const expected = {
    cleared: [
      { column: 'inspection.fuel', vehicles: 1 },
      { column: 'information.model', vehicles: 1 },
      { column: 'information.seats', vehicles: 2 },
      { column: 'status.fuelLevel', vehicles: 1 },
      { column: 'asset.defaultImage', vehicles: 2 },
    ],
    positionTrackingDisabled: 0,
  };
  expect(await losses(csv, true)).toEqual(expected);
  expect(await losses(csv)).toEqual(expected);
  expect(await losses(csv), 'when there is nothing left to lose').toEqual(none);
});

test('a signal that an empty cell does not clear is not told', async () => {
  await runImport(
    `id,lastUpdated,odometer,fuelLevel\n${ids[0]},2026-10-02T00:00:00Z,5,50\n${ids[1]},,5,50\n`,
  );
  expect(await losses(`id,odometer\n${ids[0]},\n${ids[1]},\n`)).toEqual({
    ...none,
    cleared: [{ column: 'status.odometer', vehicles: 1 }],
  });
  const later = (day: number) => `id,lastUpdated,fuelLevel\n${ids[0]},2026-10-0${day}T00:00:00Z,\n`;
  expect(await losses(later(1))).toEqual(none);
  expect(await losses(later(3))).toEqual({
    ...none,
    cleared: [{ column: 'status.fuelLevel', vehicles: 1 }],
  });
  expect(await db.query('select odometer, fuel_level from vehicle_statuses order by 1')).toEqual([
    { odometer: 5, fuel_level: null },
    { odometer: null, fuel_level: 50 },
  ]);
});

test('a report tells of how many vehicles the positions are erased', async () => {
  await runImport(`id,lat,lng\n${ids[0]},52,13\n${ids[1]},52,13\n`);
  const csv = `id,trackGeolocation\n${ids[0]},false\n${ids[1]},\n${ids[2]},false\n`;
  for (const dryRun of [true, false])
    expect(await losses(csv, dryRun)).toEqual({ ...none, positionTrackingDisabled: 1 });
  expect(await losses(csv)).toEqual(none);
});

test('of a VIN that is taken, the line loses nothing', async () => {
  await runImport(`id,vin,model\n${ids[0]},WVW1,Golf\n${ids[1]},WVW2,Golf\n`);
  expect(await losses(`id,vin,model\n${ids[1]},WVW1,\n`)).toEqual(none);
});

test('the values of a batch are counted by one statement, and none where no cell is empty', async () => {
  const counted = async (csv: string) => {
    const { recorded, unprepared } = recordedDatabase();
    unprepared.length = 0;
    await runImport(csv, false, false, { db: recorded });
    return unprepared.filter((text) => text.includes('count(*)')).length;
  };
  const lines = (cells: string) =>
    Array.from({ length: 1_001 }, (_, number) => `DE*ABC*N${number},${cells}\n`).join('');
  expect(await counted(`id,model,odometer\n${lines('Golf,5')}`)).toBe(0);
  expect(await counted(`id,model,odometer\n${lines(',')}`)).toBe(2);
});
