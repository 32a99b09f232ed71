import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capture } from '../parts/capture.ts';
import type { Column } from '../parts/growth.ts';
import type { ImportResult } from '../parts/import.ts';
import type { MixtureResult } from '../parts/mixture.ts';
import type { RequestProfile } from '../parts/profile.ts';
import type { ScenarioResult } from '../parts/requests.ts';
import type { TelemetryCost } from '../parts/telemetry-cost.ts';
import type { Peer } from '../peers/peer.ts';
import { layerNames } from '../profiler.ts';
import { figure, ratio, table } from './numbers.ts';
import { targetSection } from './targets.ts';
import { telemetryTables } from './telemetry-model.ts';

/** The results of the parts of a run. */
export type Results = {
  requests?: { results: ScenarioResult[]; peers: Peer[] };
  profiles?: RequestProfile[];
  capture?: Capture[];
  telemetry?: TelemetryCost[];
  imported?: ImportResult;
  mixture?: MixtureResult;
  sizes?: Column[];
  providers?: Column[];
  processes?: Column[];
  cluster?: Column[];
};

/** Written by hand about the run of the current page, and revised with every new one. */
const remarks = readFileSync(join(import.meta.dirname, 'remarks.md'), 'utf8').trim();

/** The page of a run, with the parts that were measured. */
export function writePage(
  results: Results,
  about: {
    command: string;
    date: string;
    machine: string[];
    pace: string;
    chart: string;
    /** Whether the results are compared with the targets. */
    hasTargets: boolean;
  },
): string {
  const { requests, profiles, capture, telemetry, imported, mixture, sizes, providers } = results;
  const { processes, cluster } = results;
  return [
    '# Performance',
    `Made by \`${about.command}\` on ${about.date}; what counts are the ratios of one run, on one machine.`,
    [...about.machine, about.pace].map((line) => `- ${line}`).join('\n'),
    ...(about.hasTargets ? [targetSection(results), remarks] : []),
    ...(requests ? requestSections(requests, about.chart) : []),
    ...(profiles ? [profileSection(profiles)] : []),
    ...(capture ? [captureSection(capture)] : []),
    ...(telemetry
      ? [
          '## What a message costs\n\nMessages in batches of 500, by as many processes; what ten million vehicles would need at these costs.',
          telemetryTables(telemetry),
        ]
      : []),
    ...(imported ? [importSection(imported)] : []),
    ...(mixture ? [mixtureSection(mixture)] : []),
    ...(sizes
      ? [
          '## As the fleet grows\n\nMedian milliseconds of an answer, one client asking; in brackets, to the first column.',
          columnTable(sizes, ({ p50 }) => p50),
        ]
      : []),
    ...(providers
      ? [
          '## As providers are added\n\nThe same vehicles, spread over providers that are asked in rotation (at most a hundred of them): requests a second; in brackets, to the first column.',
          columnTable(providers, ({ perSecond }) => perSecond),
        ]
      : []),
    ...(processes
      ? [
          '## Several processes\n\nRequests a second; in brackets, to the first column. The load and the database are on the same cores.',
          processTables(processes),
        ]
      : []),
    ...(cluster
      ? [
          '## A sharded database\n\nRequests a second, of many providers; in brackets, to the first column. All servers are on the same cores.',
          processTables(cluster),
        ]
      : []),
  ]
    .join('\n\n')
    .concat('\n');
}

function requestSections(
  { results, peers }: { results: ScenarioResult[]; peers: Peer[] },
  chart: string,
): string[] {
  const [, ...others] = peers.map(({ name }) => name);
  const head = [
    'request',
    'Motorpool/s',
    'p50 ms',
    'p99 ms',
    ...others.map((name) => `to ${name}`),
  ];
  const rows = results.map(({ scenario, peers }) => {
    const ours = peers.get('Motorpool');
    if (!ours) return [scenario.name];
    return [
      scenario.name,
      rateOf(scenario, ours.perSecond),
      figure(ours.p50),
      figure(ours.p99),
      ...others.map((name) => ratio(ours.perSecond, peers.get(name)?.perSecond)),
    ];
  });
  return [
    '## Requests',
    `![Requests a second of each peer](${chart})`,
    '“× 2” means twice as many requests a second as the peer of that column, in the same run, each alone on the machine with its load.',
    table(head, rows),
    peers.flatMap(({ name, note }) => (note ? [`- **${name}**: ${note}.`] : [])).join('\n'),
    ...results.map(scenarioSection),
  ];
}

function scenarioSection({ scenario, size, peers }: ScenarioResult): string {
  const rows = [...peers].map(([name, one]) => [
    name,
    rateOf(scenario, one.perSecond),
    figure(one.p50),
    figure(one.p99),
    figure(one.residentMib),
    one.serviceCores.toFixed(2),
    one.databaseCores.toFixed(2),
    String(one.failed),
  ]);
  const unit = scenario.carries ? `${scenario.carries.unit} a second` : 'a second';
  const head = ['peer', unit, 'p50 ms', 'p99 ms', 'MiB', 'its cores', 'database cores', 'failed'];
  return `### ${scenario.name}\n\nOur answer has ${size.toLocaleString('en')} bytes.\n\n${table(head, rows)}`;
}

function rateOf({ carries }: ScenarioResult['scenario'], perSecond: number): string {
  return carries ? `${figure(perSecond * carries.count)} ${carries.unit}` : figure(perSecond);
}

function profileSection(profiles: readonly RequestProfile[]): string {
  const head = [
    'µs of a processor',
    ...profiles.map(({ scenario, unit }) => `${scenario}: a ${unit.replace(/s$/, '')}`),
  ];
  const rows = [
    ['PostgreSQL', ...profiles.map(({ databaseUs }) => figure(databaseUs))],
    ['the service', ...profiles.map(({ serviceUs }) => figure(serviceUs))],
    ...layerNames.map((name) => [
      `– ${name}`,
      ...profiles.map(({ serviceUs, shares }) => figure(serviceUs * (shares.get(name) ?? 0))),
    ]),
  ];
  return `## Where the time goes\n\nProcessor time of one answer; that of the service by a profile of its functions, where what a part calls of Node.js counts as its own.\n\n${table(head, rows)}`;
}

function captureSection(captures: readonly Capture[]): string {
  const head = [
    'captured',
    'writes a second',
    'CPU ms a write',
    'of these, PostgreSQL',
    'to the row before',
  ];
  const rows = captures.map(({ label, perSecond, cpuMs, databaseCpuMs }, index) => [
    label,
    figure(perSecond),
    figure(cpuMs),
    figure(databaseCpuMs),
    ratio(cpuMs, captures[index - 1]?.cpuMs),
  ]);
  return `## What capturing changes costs\n\nUpdates of incidents, in turns with the triggers of the audit trail and of events and without; the numbering of events is counted.\n\n${table(head, rows)}`;
}

function importSection({ vehicles, perSecond, copyPerSecond }: ImportResult): string {
  return (
    `## Import\n\n\`motorpool import vehicles\` of ${vehicles.toLocaleString('en')} vehicles: ` +
    `${figure(perSecond)} a second, ${ratio(perSecond, copyPerSecond)} to PostgreSQL alone ` +
    `(COPY and two inserts into the same tables, nothing checked): ${figure(copyPerSecond)} a second.`
  );
}

function mixtureSection({
  clients,
  seconds,
  messagesPerSecond,
  kinds,
  usage,
}: MixtureResult): string {
  const rows = kinds.map(({ name, count, p50, p99, failed }) => [
    name,
    count.toLocaleString('en'),
    figure(p50),
    figure(p99),
    String(failed),
  ]);
  return (
    `## A working day\n\n${clients} clients for ${seconds} seconds, each pausing up to 200 ms between an answer and its next request, ` +
    `while ${messagesPerSecond.toLocaleString('en')} messages a second come in. ` +
    `The service held ${figure(usage.residentMib)} MiB and ${usage.serviceCores.toFixed(2)} cores, the database ${usage.databaseCores.toFixed(2)} cores.\n\n` +
    table(['request', 'answers', 'p50 ms', 'p99 ms', 'failed'], rows)
  );
}

/** Requests a second, and what the processes took for it at most. */
export function processTables(columns: readonly Column[]): string {
  const rows = columns.map(({ label, results }) => {
    const most = (part: 'residentMib' | 'serviceCores' | 'databaseCores') =>
      Math.max(...results.map(({ measurement }) => measurement[part]));
    return [
      label,
      figure(most('residentMib')),
      most('serviceCores').toFixed(2),
      most('databaseCores').toFixed(2),
    ];
  });
  const head = ['at most', 'MiB of the service', 'its cores', 'database cores'];
  return `${columnTable(columns, ({ perSecond }) => perSecond)}\n\n${table(head, rows)}`;
}

function columnTable(
  columns: readonly Column[],
  value: (measurement: Column['results'][number]['measurement']) => number,
): string {
  const [first] = columns;
  const rows = (first?.results ?? []).map(({ scenario, measurement }, index) => [
    scenario.name,
    ...columns.map(({ results }, column) => {
      const one = results[index]?.measurement;
      if (!one) return '';
      const failed = one.failed > 0 ? `, ${one.failed} failed` : '';
      const relative = column > 0 ? ` (${ratio(value(one), value(measurement))}${failed})` : failed;
      return `${figure(value(one))}${relative}`;
    }),
  ]);
  return table(['request', ...columns.map(({ label }) => label)], rows);
}
