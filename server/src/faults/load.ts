import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../testing/http-client.ts';

/** The service, the path of a provider, and a token of one of its clients. */
export type Access = { url: string; base: string; token: string };

type Sample = { ms: number; status: number };

/** Sends requests as an application does that many people use: one after the other each, with pauses. */
export async function sampleReads(
  { url, base, token }: Access,
  ids: readonly string[],
  durationMs: number,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const authorization = `Bearer ${token}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const reads = (number: number) => [
    { path: `${base}/${ids[number % ids.length]}`, headers: { authorization } },
    {
      method: 'POST',
      path: `${base}/vehicles`,
      headers,
      body: JSON.stringify({ searchText: 'golf', pagination: { pageSize: 25 } }),
    },
    {
      method: 'POST',
      path: `${base}/vehicles`,
      headers,
      body: '{"sorting":[{"field":"status.odometer"}],"pagination":{"pageSize":25}}',
    },
  ];
  const end = performance.now() + durationMs;
  const person = async (first: number) => {
    for (let number = first; performance.now() < end; number += 1) {
      for (const read of reads(number)) {
        const startedAt = performance.now();
        const { status } = await send(url, read);
        samples.push({ ms: performance.now() - startedAt, status });
        await sleep(5);
      }
    }
  };
  await Promise.all([0, 100, 200, 300].map(person));
  return samples;
}

export function percentile(samples: readonly Sample[], fraction: number): number {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}
