import type { ScenarioResult } from './parts/requests.ts';

/**
 * The minimum rate of the service at 10,000 vehicles, as a fraction of the rate of each limit in the same run: low
 * enough for noise, and high enough to detect a regression.
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
  'token request': { 'plain node:http': 0.03, 'baseline SQL': 0.25 },
};

/** The scenarios below their floors, as messages. */
export function findRegressions(results: readonly ScenarioResult[]): string[] {
  return results.flatMap(({ scenario, peers }) => {
    const ours = peers.get('Motorpool');
    const messages: string[] = [];
    if (ours && ours.failed > 0) messages.push(`${scenario.name}: ${ours.failed} requests failed`);
    for (const [limit, floor] of Object.entries(floors[scenario.name] ?? {})) {
      const ratio = (ours?.perSecond ?? 0) / (peers.get(limit)?.perSecond ?? Number.NaN);
      if (ratio >= floor) continue;
      messages.push(`${scenario.name}: ${ratio.toFixed(4)} of ${limit}, the floor is ${floor}`);
    }
    return messages;
  });
}
