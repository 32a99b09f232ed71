import autocannon from 'autocannon';
import { serveTask } from '../processes.ts';
import { recordLatencies } from './latencies.ts';
import { type Load, type LoadResult, timePlaceholder } from './load.ts';

const timeoutSeconds = 60;

serveTask(async (job: Load, begin): Promise<LoadResult> => {
  const { urls, requests, connections, seconds } = job;
  const prepared = requests.map(({ body, ...request }) =>
    body?.includes(timePlaceholder)
      ? {
          ...request,
          setupRequest: (sent: autocannon.Request) => ({
            ...sent,
            body: body.replaceAll(timePlaceholder, new Date().toISOString()),
          }),
        }
      : { ...request, body },
  );
  let clients = 0;
  let failed = 0;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options: autocannon.Options = {
    // It distributes the connections over several; its types declare one.
    url: urls as unknown as string,
    connections,
    duration: seconds,
    timeout: timeoutSeconds,
    // Also the precision of the duration.
    sampleInt: 100,
    requests: prepared.slice(0, 1),
    setupClient: (client) => {
      client.setRequests(shareOf(prepared, clients++, connections));
    },
  };
  begin();
  const latencies = recordLatencies();
  const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  running.on('response', (_client, status, _bytes, durationMs) => {
    if (status >= 200 && status < 300) latencies.add(durationMs);
    else failed++;
  });
  const { errors } = await promise;
  return { ...latencies.summary(), failed: failed + errors };
});

/** Disjoint requests per connection where there are enough; otherwise all, from different starts. */
function shareOf<Item>(items: readonly Item[], number: number, of: number): Item[] {
  if (items.length >= of) return items.filter((_, index) => index % of === number % of);
  const from = number % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}
