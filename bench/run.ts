import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dataSet } from './data/data-set.ts';
import { withEnvironment } from './environment.ts';
import { findRegressions } from './floors.ts';
import { type Options, readOptions } from './options.ts';
import { measureCapture } from './parts/capture.ts';
import { measureCluster } from './parts/cluster.ts';
import { measureProcesses, measureProviders, measureSizes } from './parts/growth.ts';
import { measureImport } from './parts/import.ts';
import { measureMixture } from './parts/mixture.ts';
import { measureProfiles } from './parts/profile.ts';
import { measureRequests } from './parts/requests.ts';
import { measureTelemetryCost } from './parts/telemetry-cost.ts';
import { stopAll } from './processes.ts';
import { drawChart } from './report/chart.ts';
import { fillGrowthPage } from './report/growth-page.ts';
import { describeMachine } from './report/machine.ts';
import { processTables, type Results, writePage } from './report/report.ts';
import { telemetryTables } from './report/telemetry-model.ts';

/** Measures the service as shipped against its limits and its peers, and writes ratios. */

const args = process.argv.slice(2);
const options = readOptions(args);
// Measurements fail when their processes end, and then clean up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopAll());
try {
  if (options) await run(options);
} finally {
  await stopAll();
}

async function run({
  vehicles,
  pace,
  parts,
  quick,
  report,
  mixtureSeconds,
}: Options): Promise<void> {
  const results: Results = {};
  if (parts.has('requests')) {
    results.requests = await withEnvironment(await dataSet(vehicles), (environment) =>
      measureRequests(environment, pace, { installed: !quick }),
    );
  }
  if (parts.has('profile')) {
    results.profiles = await withEnvironment(await dataSet(vehicles), (environment) =>
      measureProfiles(environment, pace),
    );
  }
  if (parts.has('capture')) {
    results.capture = await withEnvironment(await dataSet(vehicles), (environment) =>
      measureCapture(environment, pace),
    );
  }
  if (parts.has('telemetry')) {
    results.telemetry = await withEnvironment(await dataSet(vehicles), (environment) =>
      measureTelemetryCost(environment, pace),
    );
  }
  if (parts.has('mixture')) {
    results.mixture = await withEnvironment(await dataSet(vehicles), (environment) =>
      measureMixture(environment, mixtureSeconds),
    );
  }
  if (parts.has('import')) results.imported = await measureImport(vehicles);
  if (parts.has('sizes')) results.sizes = await measureSizes(sizesAround(vehicles), pace);
  if (parts.has('providers')) {
    const counts = [1, 100, 10_000].filter((count) => count <= vehicles / 10);
    results.providers = await measureProviders(counts, vehicles, pace);
  }
  if (parts.has('processes')) results.processes = await measureProcesses(vehicles, pace);
  if (parts.has('cluster') && process.env.PG_CONFIG)
    results.cluster = await measureCluster(vehicles, pace);

  const page = writePage(results, {
    command: ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
    date: new Date().toISOString().slice(0, 10),
    machine: await describeMachine(),
    pace: `${vehicles.toLocaleString('en')} vehicles, ${pace.connections} connections, medians of ${pace.passes} × ${pace.seconds} s`,
    chart: 'images/performance.svg',
    hasTargets: !quick,
  });
  if (report === undefined) process.stdout.write(page);
  else await writeReport(resolve(report), page, results);

  const regressions = quick && results.requests ? findRegressions(results.requests.results) : [];
  for (const one of regressions) process.stderr.write(`too slow: ${one}\n`);
  if (regressions.length > 0) process.exitCode = 1;
}

/** From a hundredth to ten times the fleet, at most a million. */
function sizesAround(vehicles: number): number[] {
  return [vehicles / 100, vehicles / 10, vehicles, vehicles * 10].filter(
    (size) => size >= 500 && size <= 1_000_000,
  );
}

async function writeReport(
  folder: string,
  page: string,
  { requests, telemetry, processes, cluster }: Results,
): Promise<void> {
  await mkdir(join(folder, 'images'), { recursive: true });
  if (requests) {
    const names = requests.peers.map(({ name }) => name);
    await writeFile(join(folder, 'images/performance.svg'), drawChart(requests.results, names));
  }
  await writeFile(join(folder, 'performance.md'), page);
  const growth = join(folder, 'growth.md');
  if (processes) await fillGrowthPage(growth, 'processes', processTables(processes));
  if (cluster) await fillGrowthPage(growth, 'cluster', processTables(cluster));
  if (telemetry) await fillGrowthPage(growth, 'telemetry', telemetryTables(telemetry));
}
