import { dataSet } from '../data/data-set.ts';
import { withBed } from '../environment.ts';
import { log } from '../log.ts';
import { type Measurement, measure, median, type Pace } from '../measure.ts';
import { startProcesses } from '../peers/motorpool.ts';
import { type Line, lineNamed } from '../scenarios.ts';

/** A column of measurements, one for each line. */
export type Column = { label: string; results: { line: Line; measurement: Measurement }[] };

const growing = [
  'find: rare text, 25',
  'find: common text, 25',
  'find: by odometer, 25',
  'charging history, 25 of 105',
  'read a vehicle and its status',
].map(lineNamed);
// Many providers have few vehicles each, and no records to ask for.
const ofAnyProvider = [
  'find: rare text, 25',
  'find: by odometer, 25',
  'read a vehicle and its status',
].map(lineNamed);

/** The same requests on fleets of growing size, one after the other: how long an answer takes. */
export async function measureSizes(sizes: readonly number[], pace: Pace): Promise<Column[]> {
  const columns: Column[] = [];
  for (const vehicles of sizes) {
    const label = `${vehicles.toLocaleString('en')} vehicles`;
    columns.push(await measureColumn(label, growing, { vehicles }, { ...pace, connections: 1 }));
  }
  return columns;
}

/** The same vehicles spread over more and more providers, asked in rotation. */
export async function measureProviders(
  counts: readonly number[],
  vehicles: number,
  pace: Pace,
): Promise<Column[]> {
  const columns: Column[] = [];
  for (const providers of counts) {
    const label = `${providers.toLocaleString('en')} ${providers === 1 ? 'provider' : 'providers'}`;
    columns.push(await measureColumn(label, ofAnyProvider, { vehicles, providers }, pace));
  }
  return columns;
}

/** One process of the service, then two on the same database. */
export async function measureProcesses(vehicles: number, pace: Pace): Promise<Column[]> {
  const columns: Column[] = [];
  for (const processes of [1, 2]) {
    const label = processes === 1 ? 'one process' : 'two processes';
    columns.push(await measureColumn(label, growing, { vehicles, processes }, pace));
  }
  return columns;
}

async function measureColumn(
  label: string,
  lines: readonly Line[],
  {
    vehicles,
    providers = 1,
    processes = 1,
  }: { vehicles: number; providers?: number; processes?: number },
  pace: Pace,
): Promise<Column> {
  return withBed(await dataSet(vehicles, providers), async (environment) => {
    const service = await startProcesses(environment, processes);
    try {
      const results: Column['results'] = [];
      for (const line of lines) {
        const passes: Measurement[] = [];
        for (let pass = 0; pass < pace.passes; pass++) {
          passes.push(await measure(service, environment, line, pace));
        }
        const measurement = median(passes);
        log(`${label}, ${line.name}: ${Math.round(measurement.perSecond)}/s`);
        results.push({ line, measurement });
      }
      return { label, results };
    } finally {
      await service.stop();
    }
  });
}
