import type { LineResult } from './parts/requests.ts';

/**
 * How much of each limit the service must reach at 10,000 vehicles, as a part of the limit's rate in
 * the same run. Some 40 % of what is measured: noise does not get there, a mistake does.
 */
const floors: Record<string, { 'plain node:http': number; 'baseline SQL': number }> = {
  'find: rare text, 25': { 'plain node:http': 0.08, 'baseline SQL': 0.25 },
  'find: common text, 25': { 'plain node:http': 0.04, 'baseline SQL': 0.35 },
  'find: common text, 100': { 'plain node:http': 0.02, 'baseline SQL': 0.4 },
  'find: by odometer, 25': { 'plain node:http': 0.04, 'baseline SQL': 0.26 },
  'charging history, 25 of 105': { 'plain node:http': 0.07, 'baseline SQL': 0.22 },
  'update an incident': { 'plain node:http': 0.05, 'baseline SQL': 0.16 },
  'read a vehicle and its status': { 'plain node:http': 0.12, 'baseline SQL': 0.25 },
  'telemetry, batches of 500': { 'plain node:http': 0.007, 'baseline SQL': 0.15 },
  'token request': { 'plain node:http': 0.03, 'baseline SQL': 0.8 },
};

/** What is too slow, in words; empty when all is well. */
export function findTooSlow(results: readonly LineResult[]): string[] {
  return results.flatMap(({ line, peers }) => {
    const ours = peers.get('Motorpool');
    const said: string[] = [];
    if (ours && ours.failed > 0) said.push(`${line.name}: ${ours.failed} requests failed`);
    for (const [limit, floor] of Object.entries(floors[line.name] ?? {})) {
      const ratio = (ours?.perSecond ?? 0) / (peers.get(limit)?.perSecond ?? Number.NaN);
      if (ratio >= floor) continue;
      said.push(`${line.name}: ${ratio.toFixed(4)} of ${limit}, the floor is ${floor}`);
    }
    return said;
  });
}
