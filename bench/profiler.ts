import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

type Frame = { functionName: string; url: string };
type ProfileNode = { id: number; callFrame: Frame; children?: number[] };
export type Profile = { nodes: ProfileNode[]; samples: number[] };

const inspectorUrl = 'http://127.0.0.1:9229/json/list';

/** Profiles a process of Node as it runs: SIGUSR1 makes it listen for debuggers. */
export async function startProfiling(pid: number): Promise<() => Promise<Profile>> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await debuggerUrl());
  await once(socket, 'open');
  let lastId = 0;
  const call = async (method: string): Promise<{ profile: Profile }> => {
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<{ profile: Profile }>();
    const onMessage = ({ data }: MessageEvent) => {
      const answer = JSON.parse(data);
      if (answer.id !== id) return;
      socket.removeEventListener('message', onMessage);
      if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
      else resolve(answer.result);
    };
    socket.addEventListener('message', onMessage);
    socket.send(JSON.stringify({ id, method }));
    return promise;
  };
  await call('Profiler.enable');
  await call('Profiler.start');
  return async () => {
    const { profile } = await call('Profiler.stop');
    socket.close();
    return profile;
  };
}

async function debuggerUrl(): Promise<string> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; await sleep(50)) {
    const targets = await fetch(inspectorUrl).then(
      (response) => response.json() as Promise<{ webSocketDebuggerUrl: string }[]>,
      () => [],
    );
    const url = targets[0]?.webSocketDebuggerUrl;
    if (url !== undefined) return url;
  }
  throw new Error('The process does not listen for debuggers on port 9229.');
}

/** The parts of the service, by the files of their functions; the first that matches counts. */
const layers: [string, RegExp][] = [
  ['driver of PostgreSQL', /node_modules\/pg[^/]*\/|\/platform\/db\//],
  ['log', /node_modules\/(pino|sonic-boom|thread-stream|quick-format-unescaped)/],
  ['validation', /node_modules\/ajv|\/http\/(validation|schema-issues|json-[^/]*)\.ts|\/__ajv/],
  [
    'bearer and limits',
    /\/src\/auth\/|\/http\/(request-limits|load-shedding|operation-access)\.ts|node_modules\/jose/,
  ],
  ['Fastify', /node_modules\/(@?fastify|find-my-way|avvio|light-my-request|secure-json-parse)/],
  ['operations', /\/src\/fleet\//],
  ['HTTP of the service', /\/src\/(platform|[^/]+\.ts)/],
];
const nodeLayer = 'Node.js: HTTP, sockets, timers';
const collectorLayer = 'garbage collector';
export const layerNames = [...layers.map(([name]) => name), nodeLayer, collectorLayer];

/** The part of the busy samples that each layer has; what a layer calls of Node.js is its own. */
export function sharesOf({ nodes, samples }: Profile): Map<string, number> {
  const layerOf = new Map<number, string | undefined>();
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    const { functionName, url } = callFrame;
    const own =
      functionName === '(garbage collector)'
        ? collectorLayer
        : layers.find(([, files]) => files.test(url))?.[0];
    const parent = parents.get(id);
    layerOf.set(id, own ?? (parent === undefined ? undefined : layerOf.get(parent)));
  }
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  const busy = samples.filter((id) => !idle.has(id));
  const counts = Map.groupBy(busy, (id) => layerOf.get(id) ?? nodeLayer);
  return new Map([...counts].map(([name, { length }]) => [name, length / busy.length]));
}
