import { dataSet } from '../data/data-set.ts';
import { type Environment, withEnvironment } from '../environment.ts';
import { log } from '../log.ts';
import { type Measurement, measure, median, type Pace } from '../measure.ts';
import { startProcesses } from '../peers/motorpool.ts';
import { type Scenario, scenarioNamed } from '../scenarios.ts';

/** One measurement per scenario. */
export type Column = { label: string; results: { scenario: Scenario; measurement: Measurement }[] };

const fleetScenarios = [
  'find: rare text, 25',
  'find: common text, 25',
  'find: by odometer, 25',
  'charging history, 25 of 105',
  'read a vehicle and its status',
].map(scenarioNamed);
// Of many providers, each has few vehicles and no records.
const providerScenarios = [
  'find: rare text, 25',
  'find: by odometer, 25',
  'read a vehicle and its status',
].map(scenarioNamed);

/** The latency of the same requests, one at a time, on fleets of fleetScenarios size. */
export async function measureSizes(sizes: readonly number[], pace: Pace): Promise<Column[]> {
  const columns: Column[] = [];
  for (const vehicles of sizes) {
    const label = `${vehicles.toLocaleString('en')} vehicles`;
    columns.push(
      await measureColumn(label, fleetScenarios, { vehicles }, { ...pace, connections: 1 }),
    );
  }
  return columns;
}

/** The same vehicles, distributed over more and more providers. */
export async function measureProviders(
  counts: readonly number[],
  vehicles: number,
  pace: Pace,
): Promise<Column[]> {
  const columns: Column[] = [];
  for (const providers of counts) {
    const label = `${providers.toLocaleString('en')} ${providers === 1 ? 'provider' : 'providers'}`;
    columns.push(await measureColumn(label, providerScenarios, { vehicles, providers }, pace));
  }
  return columns;
}

/** One process of the service, then several on the same port and database. */
export async function measureProcesses(vehicles: number, pace: Pace): Promise<Column[]> {
  const columns: Column[] = [];
  for (const [label, processes] of [
    ['one process', 1],
    ['two processes', 2],
    ['four processes', 4],
  ] as const) {
    columns.push(await measureColumn(label, fleetScenarios, { vehicles, processes }, pace));
  }
  return columns;
}

async function measureColumn(
  label: string,
  scenarios: readonly Scenario[],
  {
    vehicles,
    providers = 1,
    processes = 1,
  }: { vehicles: number; providers?: number; processes?: number },
  pace: Pace,
): Promise<Column> {
  return withEnvironment(await dataSet(vehicles, providers), (environment) =>
    measureScenarios(label, scenarios, environment, pace, processes),
  );
}

/** The service as so many processes, on the database of the environment. */
export async function measureScenarios(
  label: string,
  scenarios: readonly Scenario[],
  environment: Environment,
  pace: Pace,
  processes = 1,
): Promise<Column> {
  const service = await startProcesses(environment, processes);
  try {
    const results: Column['results'] = [];
    for (const scenario of scenarios) {
      const passes: Measurement[] = [];
      for (let pass = 0; pass < pace.passes; pass++) {
        passes.push(await measure(service, environment, scenario, pace));
      }
      const measurement = median(passes);
      log(`${label}, ${scenario.name}: ${Math.round(measurement.perSecond)}/s`);
      results.push({ scenario, measurement });
    }
    return { label, results };
  } finally {
    await service.stop();
  }
}
