import type { Column } from '../parts/growth.ts';
import type { LineResult } from '../parts/requests.ts';
import { batchSize } from '../telemetry.ts';
import { figure, table } from './numbers.ts';
import type { Results } from './report.ts';

/** What was to be reached, and what was. */
type Target = { name: string; wanted: string; measured: string; isMet: boolean };

/** One row a target, of those that the run can tell of. */
export function targetSection(results: Results): string {
  const { requests, mixture, sizes, providers, processes } = results;
  const targets = [
    ...(requests?.results ?? []).flatMap(({ line, peers }) => ratioTargets(line.name, peers)),
    ...(requests ? fixedTargets(requests.results, mixture?.usage.residentMib) : []),
    ...(sizes ? growthTarget(sizes) : []),
    ...(providers ? providerTargets(providers) : []),
    ...(processes ? processTargets(processes) : []),
  ];
  const rows = targets.map(({ name, wanted, measured, isMet }) => [
    name,
    wanted,
    measured,
    isMet ? 'yes' : '**no**',
  ]);
  const missed = targets.filter(({ isMet }) => !isMet).length;
  const said = missed === 0 ? 'All are met.' : `${missed} of ${targets.length} are not met.`;
  return `## Targets\n\n${said}\n\n${table(['', 'wanted', 'measured', 'met'], rows)}`;
}

const nest = 'NestJS + TypeORM';
const tenfold = [
  'find: common text, 25',
  'find: common text, 100',
  'find: by odometer, 25',
  'update an incident',
];
const threefold = ['find: rare text, 25'];

function ratioTargets(line: string, peers: LineResult['peers']): Target[] {
  const ofNest = tenfold.includes(line) ? 10 : threefold.includes(line) ? 3 : 5;
  const wanted: [string, number][] = [
    [nest, ofNest],
    ['Prism', 1.5],
    ['baseline SQL', 0.5],
  ];
  const ours = peers.get('Motorpool')?.perSecond ?? Number.NaN;
  return wanted.flatMap(([name, least]) => {
    const theirs = peers.get(name)?.perSecond;
    if (theirs === undefined) return [];
    const ratio = ours / theirs;
    return atLeast(`${line}, to ${name}`, least, ratio, (value) => `× ${figure(value)}`);
  });
}

function fixedTargets(results: readonly LineResult[], mixtureMib: number | undefined): Target[] {
  const ours = new Map(results.map(({ line, peers }) => [line.name, peers.get('Motorpool')]));
  const token = ours.get('token request');
  const telemetry = ours.get('telemetry, batches of 500');
  const most = Math.max(mixtureMib ?? 0, ...[...ours.values()].map((one) => one?.residentMib ?? 0));
  return [
    ...(token
      ? atLeast('tokens a second and core', 1_000, token.perSecond / token.serviceCores, figure)
      : []),
    ...(telemetry
      ? atLeast('telemetry, messages a second', 30_000, telemetry.perSecond * batchSize, figure)
      : []),
    ...atMost('most MiB that the service had', 250, most, figure),
  ];
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

/** Rates that must not be lower than in another column. */
function relativeTo(columns: readonly Column[], label: string, base: string): Target[] {
  const lines = columns[0]?.results.map(({ line }) => line.name) ?? [];
  return lines.flatMap((line) => {
    const [one, other] = [measurementOf(columns, label, line), measurementOf(columns, base, line)];
    if (!one || !other) return [];
    const ratio = one.perSecond / other.perSecond;
    return atLeast(`${line}, ${label} to ${base}`, 1, ratio, (value) => `× ${figure(value)}`);
  });
}

function measurementOf(columns: readonly Column[], label: string, line: string) {
  const column = columns.find((one) => one.label === label);
  return column?.results.find((one) => one.line.name === line)?.measurement;
}

type Words = (value: number) => string;

function atLeast(name: string, least: number, value: number, words: Words): Target[] {
  return [{ name, wanted: `≥ ${words(least)}`, measured: words(value), isMet: value >= least }];
}

function atMost(name: string, most: number, value: number, words: Words): Target[] {
  return [{ name, wanted: `≤ ${words(most)}`, measured: words(value), isMet: value <= most }];
}
