import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const models = [
  ['VW', 'Golf', '1.5 TSI Life'],
  ['VW', 'ID.3', 'Pro S 77 kWh'],
  ['Škoda', 'Octavia Combi', '2.0 TDI'],
  ['BMW', '3er', '320d Touring'],
  ['Mercedes-Benz', 'Sprinter', '315 CDI'],
  ['Opel', 'Corsa', 'Electric'],
  ['Ford', 'Transit Custom', '2.0 TDCi'],
  ['Renault', 'Zoe', 'R135'],
  ['Peugeot', 'e-208', '50 kWh'],
  ['Fiat', 'Ducato', '140 Multijet'],
  ['Hyundai', 'Kona', 'Elektro'],
  ['Kia', 'Niro', 'EV'],
  ['Tesla', 'Model 3', 'Long Range'],
  ['Toyota', 'Corolla', 'Hybrid'],
  ['Volvo', 'XC40', 'Recharge'],
];

/** A CSV of many vehicles, the same each time. */
export async function makeVehicleFile(file: string, count: number, prefix: string): Promise<void> {
  await pipeline(Readable.from(lines(count, prefix)), createWriteStream(file));
}

function* lines(count: number, prefix: string): Generator<string> {
  yield 'id,vin,licensePlate,vendor,model,variant,seats,odometer,fuelLevel,lastUpdated,lat,lng\n';
  for (let index = 0; index < count; index++) {
    const code = String(index).padStart(7, '0');
    const model = models[(index * 7) % models.length]?.join(',');
    const odometer = (index * 7_919) % 250_000;
    const [lat, lng] = [48 + (index % 5_000) / 1_000, 7 + (index % 7_000) / 1_000];
    yield `${prefix}${code},WVWZZZ1KZ${code}0,B-X ${index},${model},5,${odometer},${index % 101},2026-11-01T08:00:00Z,${lat},${lng}\n`;
  }
}
