import type { FastifyInstance } from 'fastify';
import {
  invalidPath,
  noSuchPath,
  Problem,
  plainProblem,
  tooManyRequests,
  unauthorized,
  unavailable,
} from './problem.ts';

/** The header by which a client asks for a fault. The demo alone honours it. */
const faultHeader = 'Motorpool-Simulate';
const maxDelayMs = 60_000;
const form = /^(?:status=([45]\d\d))?(?:[;,]\s*|\s+)?(?:delay=(\d{1,5}))?$/;
const detail = `Simulated, as the header ${faultHeader} asks.`;

/** Answers any request with the error that its header chooses, or late; nothing is executed before. */
export function simulateFaults(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const sent = headers[faultHeader.toLowerCase()];
    if (sent === undefined) return;
    const [matched, status, delay = '0'] = form.exec(String(sent).trim()) ?? [];
    if (!matched || Number(delay) > maxDelayMs) throw invalidFault();
    await new Promise((resolve) => setTimeout(resolve, Number(delay)));
    if (status !== undefined) throw problemWith(Number(status));
  });
}

function problemWith(status: number): Problem {
  const known = [
    unauthorized('motorpool', true),
    tooManyRequests(detail, 1),
    unavailable(detail),
    noSuchPath(),
    invalidPath([]),
  ].find((problem) => problem.status === status);
  if (!known) return plainProblem(status, detail);
  return new Problem(status, known.kind, known.title, { detail, headers: known.headers });
}

function invalidFault(): Problem {
  return new Problem(400, 'invalid-simulation', 'The simulation is not valid', {
    detail: `${faultHeader} must be such as "status=503", "delay=2000" or "status=429, delay=500": a status from 400 to 599, and at most ${maxDelayMs} ms.`,
  });
}

type Described = {
  paths: Record<string, { parameters?: unknown[] }>;
  components: { parameters: Record<string, unknown> };
};

/** The OpenAPI document, with the header for every path. */
export function describeFaults<Document extends object>(document: Document): Document {
  const { paths, components } = document as unknown as Described;
  const parameter = { $ref: '#/components/parameters/Simulate' };
  const extended = Object.entries(paths).map(([path, item]) => [
    path,
    { ...item, parameters: [...(item.parameters ?? []), parameter] },
  ]);
  return {
    ...document,
    paths: Object.fromEntries(extended),
    components: {
      ...components,
      parameters: { ...components.parameters, Simulate: parameterObject },
    },
  };
}

const parameterObject = {
  name: faultHeader,
  in: 'header',
  description:
    'Of the demo alone: `status=503` answers with this error, `delay=2000` after so many milliseconds; both together, separated by a comma. ' +
    'With a status, nothing is executed.',
  schema: { type: 'string', maxLength: 40 },
  example: 'status=503, delay=500',
};
