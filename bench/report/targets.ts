import type { Capture } from '../parts/capture.ts';
import type { Column } from '../parts/growth.ts';
import type { ScenarioResult } from '../parts/requests.ts';
import { batchSize } from '../telemetry.ts';
import { figure, table } from './numbers.ts';
import type { Results } from './report.ts';

type Target = { name: string; target: string; measured: string; isMet: boolean };

/** One row per target that the run has measured. */
export function targetSection(results: Results): string {
  const { requests, capture, mixture, sizes, providers, processes } = results;
  const targets = [
    ...(requests?.results ?? []).flatMap(({ scenario, peers }) =>
      ratioTargets(scenario.name, peers),
    ),
    ...(requests ? fixedTargets(requests.results, mixture?.usage.residentMib) : []),
    ...(capture ? captureTargets(capture) : []),
    ...(sizes ? growthTarget(sizes) : []),
    ...(providers ? providerTargets(providers) : []),
    ...(processes ? processTargets(processes) : []),
  ];
  const rows = targets.map(({ name, target, measured, isMet }) => [
    name,
    target,
    measured,
    isMet ? 'yes' : '**no**',
  ]);
  const missed = targets.filter(({ isMet }) => !isMet).length;
  const summary = missed === 0 ? 'All are met.' : `${missed} of ${targets.length} are not met.`;
  return `## Targets\n\n${summary}\n\n${table(['', 'target', 'measured', 'met'], rows)}`;
}

const nest = 'NestJS + TypeORM';
const tenfold = [
  'find: common text, 25',
  'find: common text, 100',
  'find: by odometer, 25',
  'update an incident',
];
const threefold = ['find: rare text, 25'];

function ratioTargets(scenario: string, peers: ScenarioResult['peers']): Target[] {
  const ofNest = tenfold.includes(scenario) ? 10 : threefold.includes(scenario) ? 3 : 5;
  const target: [string, number][] = [
    [nest, ofNest],
    ['Prism', 1.5],
    ['baseline SQL', 0.5],
  ];
  const ours = peers.get('Motorpool')?.perSecond ?? Number.NaN;
  return target.flatMap(([name, minimum]) => {
    const theirs = peers.get(name)?.perSecond;
    if (theirs === undefined) return [];
    const ratio = ours / theirs;
    return atLeast(`${scenario}, to ${name}`, minimum, ratio, (value) => `× ${figure(value)}`);
  });
}

function fixedTargets(
  results: readonly ScenarioResult[],
  mixtureMib: number | undefined,
): Target[] {
  const ours = new Map(
    results.map(({ scenario, peers }) => [scenario.name, peers.get('Motorpool')]),
  );
  const token = ours.get('token request');
  const telemetry = ours.get('telemetry, batches of 500');
  const maximum = Math.max(
    mixtureMib ?? 0,
    ...[...ours.values()].map((one) => one?.residentMib ?? 0),
  );
  return [
    ...(token
      ? atLeast('tokens a second and core', 1_000, token.perSecond / token.serviceCores, figure)
      : []),
    ...(telemetry
      ? atLeast('telemetry, messages a second', 30_000, telemetry.perSecond * batchSize, figure)
      : []),
    ...atMost('most MiB that the service had', 250, maximum, figure),
  ];
}

/** Each kind of capture, to a write without it. */
function captureTargets(captures: readonly Capture[]): Target[] {
  return captures.slice(1).flatMap(({ label, cpuMs }, index) => {
    const ratio = cpuMs / (captures[index]?.cpuMs ?? Number.NaN);
    const name = `processor time of a write with ${label}, to ${captures[index]?.label}`;
    return atMost(name, 1.1, ratio, (value) => `× ${value.toFixed(2)}`);
  });
}

function growthTarget(columns: readonly Column[]): Target[] {
  const of = (label: string) => measurementOf(columns, label, 'find: rare text, 25')?.p50;
  const [small, large] = [of('10,000 vehicles'), of('1,000,000 vehicles')];
  if (small === undefined || large === undefined) return [];
  const name = 'find: rare text, median at 1,000,000 vehicles to 10,000';
  return atMost(name, 3, large / small, (value) => `× ${figure(value)}`);
}

function providerTargets(columns: readonly Column[]): Target[] {
  return relativeTo(columns, '10,000 providers', '1 provider');
}

function processTargets(columns: readonly Column[]): Target[] {
  return relativeTo(columns, 'two processes', 'one process');
}

/** Rates that must not be lower than those of another column. */
function relativeTo(columns: readonly Column[], label: string, base: string): Target[] {
  const scenarios = columns[0]?.results.map(({ scenario }) => scenario.name) ?? [];
  return scenarios.flatMap((scenario) => {
    const [one, other] = [
      measurementOf(columns, label, scenario),
      measurementOf(columns, base, scenario),
    ];
    if (!one || !other) return [];
    const ratio = one.perSecond / other.perSecond;
    return atLeast(`${scenario}, ${label} to ${base}`, 1, ratio, (value) => `× ${figure(value)}`);
  });
}

function measurementOf(columns: readonly Column[], label: string, scenario: string) {
  const column = columns.find((one) => one.label === label);
  return column?.results.find((one) => one.scenario.name === scenario)?.measurement;
}

type Format = (value: number) => string;

function atLeast(name: string, minimum: number, value: number, format: Format): Target[] {
  return [
    { name, target: `≥ ${format(minimum)}`, measured: format(value), isMet: value >= minimum },
  ];
}

function atMost(name: string, maximum: number, value: number, format: Format): Target[] {
  return [
    { name, target: `≤ ${format(maximum)}`, measured: format(value), isMet: value <= maximum },
  ];
}
