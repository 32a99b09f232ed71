import type { LineResult } from './parts/requests.ts';

/**
 * How much of each limit the service must reach at 10,000 vehicles, as a part of the limit's rate in
 * the same run. Far below what is measured: noise does not get there, a mistake does.
 */
const floors: Record<string, { 'plain node:http': number; 'bare SQL': number }> = {
  'find: rare text, 25': { 'plain node:http': 0.001, 'bare SQL': 0.07 },
  'find: common text, 25': { 'plain node:http': 0.002, 'bare SQL': 0.13 },
  'find: common text, 100': { 'plain node:http': 0.002, 'bare SQL': 0.09 },
  'find: by odometer, 25': { 'plain node:http': 0.0015, 'bare SQL': 0.045 },
  'charging history, 25 of 105': { 'plain node:http': 0.015, 'bare SQL': 0.02 },
  'update an incident': { 'plain node:http': 0.003, 'bare SQL': 0.02 },
  'read a vehicle and its status': { 'plain node:http': 0.017, 'bare SQL': 0.03 },
  'telemetry, batches of 500': { 'plain node:http': 0.0006, 'bare SQL': 0.02 },
  'token request': { 'plain node:http': 0.003, 'bare SQL': 0.07 },
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
