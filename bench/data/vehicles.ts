import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Model, models } from './models.ts';

type Cell = string | number | boolean;

const districts =
  'B HH M K F S D DO E L HB DD H N DU BO W BI BN MS KA MA A WI GE MG BS KI C AC'.split(' ');
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const dayMs = 86_400_000;
const newest = Date.UTC(2026, 9, 1);

/** The cells of one vehicle by column, deterministic. */
export function vehicleAt(index: number, idPrefix: string): Record<string, Cell> {
  const random = (salt: number) => hash(index, salt) / 2 ** 32;
  const randomInteger = (salt: number, below: number) => Math.floor(random(salt) * below);
  const { vendor, model, variant, wmi, drive } = modelAt(random(1));
  const electric = drive === 'electric';
  const registered = new Date(newest - randomInteger(2, 2_500) * dayMs);
  // Seven unique digits in pseudo-random order.
  const serial = String((index * 7_368_787 + 1_234_567) % 10_000_000).padStart(7, '0');
  const odometer = randomInteger(3, 2_000_000) / 10;
  const level = randomInteger(4, 101);
  const pressure = (salt: number) => (22 + randomInteger(salt, 9)) / 10;
  return {
    id: vehicleId(index, idPrefix),
    active: random(5) < 0.97,
    vin: `${wmi}ZZZ${letters[randomInteger(6, 23)]}${randomInteger(7, 10)}${letters[randomInteger(8, 23)]}P${serial}`,
    vendor,
    model,
    variant,
    licensePlate: plateAt(index, electric),
    seats: ['Sprinter', 'Transit', 'Master'].includes(model) ? 3 : 5,
    firstRegistrationDate: registered.toISOString().slice(0, 10),
    buildYear: registered.getUTCFullYear(),
    evBatteryCapacity: electric ? 45 + randomInteger(9, 40) : '',
    iceTankCapacity: electric ? '' : 40 + randomInteger(10, 40),
    trackGeolocation: true,
    lastUpdated: new Date(newest + randomInteger(11, 86_400) * 1_000).toISOString(),
    lat: 47.5 + randomInteger(12, 70_000) / 10_000,
    lng: 6 + randomInteger(13, 80_000) / 10_000,
    isLocked: random(14) < 0.8,
    windowsClosed: true,
    doorsClosed: true,
    engineActive: random(15) < 0.15,
    headlightsActive: random(16) < 0.1,
    odometer,
    reach: level * (electric ? 4 : 7),
    fuelLevel: level,
    tirePressureFrontLeft: pressure(17),
    tirePressureFrontRight: pressure(18),
    tirePressureRearLeft: pressure(19),
    tirePressureRearRight: pressure(20),
    nextServiceDistance: randomInteger(21, 30_000),
  };
}

export function vehicleId(index: number, idPrefix: string): string {
  return `${idPrefix}${String(index).padStart(7, '0')}`;
}

/** Writes a CSV file for `motorpool import`. */
export async function writeVehicleFile(
  file: string,
  count: number,
  idPrefix: string,
): Promise<void> {
  await pipeline(Readable.from(lines(count, idPrefix)), createWriteStream(file));
}

function* lines(count: number, idPrefix: string): Generator<string> {
  yield `${Object.keys(vehicleAt(0, idPrefix)).join(',')}\n`;
  for (let index = 0; index < count; index++) {
    yield `${Object.values(vehicleAt(index, idPrefix)).join(',')}\n`;
  }
}

/** Unique. */
function plateAt(index: number, electric: boolean): string {
  const district = districts[index % districts.length];
  const rest = Math.floor(index / districts.length);
  const number = 1 + ((rest * 7_919) % 9_999);
  const pair = (hash(rest % 9_999, 22) + Math.floor(rest / 9_999)) % letters.length ** 2;
  const first = letters[Math.floor(pair / letters.length)];
  return `${district}-${first}${letters[pair % letters.length]} ${number}${electric ? 'E' : ''}`;
}

const total = models.reduce((sum, { share }) => sum + share, 0);

function modelAt(part: number): Model {
  let left = part * total;
  for (const model of models) {
    left -= model.share;
    if (left < 0) return model;
  }
  return models.at(-1) as Model;
}

/** A pseudo-random 32-bit number (the finalizer of MurmurHash3). */
function hash(index: number, salt: number): number {
  let bits = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
