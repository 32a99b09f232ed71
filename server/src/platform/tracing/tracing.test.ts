import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { send } from '../../testing/http-client.ts';
import { createServed, type Served } from '../../testing/serve.ts';
import {
  type Collector,
  type ReceivedSpan,
  startCollector,
} from '../../testing/start-collector.ts';
import { startTrapServer } from '../../testing/trap-server.ts';

type Running = Awaited<ReturnType<Served['start']>>;

const kinds = { server: 2, client: 3, consumer: 5 };
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const base = '/api/fleets/v1/DE/ABC';
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

let served: Served;
let collector: Collector;
beforeAll(async () => {
  served = await createServed({ role: 'admin' });
  collector = await startCollector();
});
afterAll(async () => {
  await served.close();
  await collector.stop();
});

const exporting = (env: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=key-of-collector',
  OTEL_BSP_SCHEDULE_DELAY: '50',
  ...env,
});

function call(
  { url, token }: Pick<Running, 'url' | 'token'>,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  return send(url, {
    method,
    path: base + path,
    body: body && JSON.stringify(body),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
}

async function stop(running: Running): Promise<void> {
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('cut'),
  });
}

describe('with a collector', () => {
  let running: Running;
  beforeAll(async () => {
    running = await served.start(
      exporting({ OTEL_SERVICE_NAME: 'fleet-1', WEBHOOK_NETWORKS: '127.0.0.0/8' }),
    );
  });

  const spanOf = async (isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> => {
    let found: ReceivedSpan | undefined;
    await eventually(() => {
      found = collector.spans.find(isWanted);
      expect(found).toBeDefined();
    });
    return found as ReceivedSpan;
  };
  const spanOfRequest = (id: string) =>
    spanOf(({ attributes }) => attributes['motorpool.request_id'] === id);
  const statementsOf = ({ spanId }: ReceivedSpan) =>
    collector.spans.filter((span) => span.parentId === spanId && span.kind === kinds.client);

  test('a trace leads from a request to its statements, also after its body was read', async () => {
    const body = { information: { licensePlate: 'value-of-a-parameter' } };
    const headers = { 'x-request-id': 'write-1' };
    const { status } = await call(running, 'PUT', '/DE*ABC*TRACE', body, headers);
    expect(status).toBe(201);
    const span = await spanOfRequest('write-1');
    expect(span).toMatchObject({
      service: 'fleet-1',
      kind: kinds.server,
      parentId: '',
      failed: false,
      attributes: {
        'http.request.method': 'PUT',
        'http.response.status_code': 201,
        'url.path': `${base}/DE*ABC*TRACE`,
        'motorpool.provider': 'DE-ABC',
      },
    });
    expect(span.name).toBe(`PUT ${span.attributes['http.route']}`);
    await eventually(() =>
      expect(statementsOf(span)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            traceId: span.traceId,
            name: 'INSERT vehicles',
            attributes: expect.objectContaining({
              'db.system.name': 'postgresql',
              'db.operation.name': 'INSERT',
              'db.query.text': expect.stringMatching(/^insert into vehicles .*\$1/i),
            }),
          }),
          expect.objectContaining({ name: 'COMMIT' }),
        ]),
      ),
    );
  });

  test('a trace does not have the id of a customer', async () => {
    const customerId = '52610fa1-c447-4ecb-95bc-7f8f6cc69ff9';
    const path = '/users/DE/MOB';
    const headers = { 'x-request-id': 'customer-1' };
    await call(running, 'GET', `${path}/${customerId}`, undefined, headers);
    const { attributes } = await spanOfRequest('customer-1');
    expect(attributes['url.path']).toBe(`${base}${path}/{customerId}`);
  });

  test('requests that share the statement of a lookup have a span of it each', async () => {
    const ids = ['read-1', 'read-2', 'read-3'];
    await Promise.all(
      ids.map((id) => call(running, 'GET', '/DE*ABC*TRACE', undefined, { 'x-request-id': id })),
    );
    for (const id of ids) {
      const span = await spanOfRequest(id);
      await eventually(() => expect(statementsOf(span).length).toBeGreaterThan(0));
    }
  });

  test('a request continues the trace of its caller, and its log lines name both', async () => {
    const headers = { traceparent: `00-${traceId}-${parentId}-01`, 'x-request-id': 'continued' };
    await call(running, 'GET', '/DE*ABC*TRACE', undefined, headers);
    const span = await spanOfRequest('continued');
    expect(span).toMatchObject({ traceId, parentId });
    await eventually(() => expect(running.stdout()).toContain('"reqId":"continued"'));
    const line =
      running
        .stdout()
        .split('\n')
        .find((one) => one.includes('"continued"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      trace_id: traceId,
      span_id: span.spanId,
      parent_id: parentId,
    });
  });

  test('a trace that its caller does not record is not recorded', async () => {
    const headers = { traceparent: `00-${traceId}-${parentId}-00`, 'x-request-id': 'unsampled' };
    await call(running, 'GET', '/DE*ABC*TRACE', undefined, headers);
    await call(running, 'GET', '/DE*ABC*TRACE', undefined, { 'x-request-id': 'after-it' });
    await spanOfRequest('after-it');
    expect(collector.text()).not.toContain('unsampled');
  });

  test('a refused request has its status, and no span when it is a probe', async () => {
    await call({ ...running, token: 'none' }, 'GET', '/DE*ABC*TRACE', undefined, {
      'x-request-id': 'refused',
    });
    await send(running.url, { path: '/health/ready', headers: { 'x-request-id': 'probe' } });
    expect((await spanOfRequest('refused')).attributes['http.response.status_code']).toBe(401);
    await call(running, 'GET', '/DE*ABC*TRACE', undefined, { 'x-request-id': 'last' });
    await spanOfRequest('last');
    expect(collector.text()).not.toContain('probe');
  });

  test('a job that acts for somebody does not tell for whom', async () => {
    const customerId = '3f0c7a52-7f0e-4c57-9a53-3a4c1d2b5e6f';
    const customer = { mobilityProviderCountryCode: 'DE', mobilityProviderCode: 'MOB', customerId };
    const entry = { date: '2026-11-01', category: 'toll', title: 'Toll', customer };
    expect((await call(running, 'POST', '/DE*ABC*TRACE/logbook', entry)).status).toBe(201);
    const erased = await call(running, 'DELETE', `/users/DE/MOB/${customerId}`);
    expect(erased.status).toBe(202);
    const set = await spanOf(({ attributes }) =>
      String(attributes['db.query.text']).startsWith('set local motorpool.actor'),
    );
    expect(set.attributes['db.query.text']).toBe('set local motorpool.actor = ?');
  });

  test('a job is a trace of its own', async () => {
    await call(running, 'PUT', '/DE*ABC*TRACE/inspection', {});
    await call(running, 'PATCH', '/DE*ABC*TRACE/inspection');
    const job = await spanOf(({ kind }) => kind === kinds.consumer);
    expect(job).toMatchObject({
      parentId: '',
      name: `process ${job.attributes['messaging.destination.name']}`,
    });
    await eventually(() => expect(statementsOf(job).length).toBeGreaterThan(0));
  });

  test('a receiver of a webhook is sent the span of its delivery', async ({ onTestFinished }) => {
    const received: (string | undefined)[] = [];
    const receiver = await startTrapServer((request, response) => {
      received.push(String(request.headers.traceparent));
      response.end();
    });
    onTestFinished(receiver.stop);
    const url = `${receiver.url}/hook?token=token-of-receiver`;
    const { json, status } = await call(running, 'POST', '/webhooks', { url });
    expect(status).toBe(201);
    await call(running, 'POST', `/webhooks/${json.id}/test`);
    await eventually(() => expect(received.length).toBeGreaterThan(0));
    const [, trace, parent] = received[0]?.split('-') ?? [];
    const delivery = await spanOf(({ spanId }) => spanId === parent);
    expect(delivery).toMatchObject({
      traceId: trace,
      name: 'POST webhook',
      kind: kinds.client,
      attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
    });
  });

  test('neither secrets nor values are exported, and the last spans are sent before the end', async () => {
    const { token } = running;
    const filters = [
      { field: 'information.licensePlate', operator: 'eq', value: 'value-of-a-filter' },
    ];
    const searchText = 'value-of-a-text';
    expect((await call(running, 'POST', '/vehicles', { filters, searchText })).status).toBe(200);
    await call(running, 'GET', '/DE*ABC*TRACE?x=value-of-a-query', undefined, {
      'x-request-id': 'at-the-end',
    });
    await stop(running);
    expect(collector.text()).toContain('at-the-end');
    const secrets = [token, 'value-of-', 'token-of-receiver', 'whsec_', 'key-of-collector'];
    for (const secret of secrets) expect(collector.text()).not.toContain(secret);
    expect(collector.headers[0]).toMatchObject({ 'x-api-key': 'key-of-collector' });
    expect(running.stdout()).not.toContain('key-of-collector');
  });
});

test('a collector that fails disturbs no request and no stop, and is logged once', async ({
  onTestFinished,
}) => {
  const broken = await startTrapServer((_request, response) => void response.writeHead(400).end());
  onTestFinished(broken.stop);
  const running = await served.start(exporting({ OTEL_EXPORTER_OTLP_ENDPOINT: broken.url }));
  for (let count = 0; count < 30 || broken.requested.length < 3; count++)
    expect((await call(running, 'GET', '/DE*ABC*none')).status).toBe(404);
  await stop(running);
  expect(running.stdout().match(/traces cannot be exported/g)).toHaveLength(1);
});

test('a collector that does not answer delays neither requests nor the stop', async ({
  onTestFinished,
}) => {
  const silent = await startTrapServer(() => {});
  onTestFinished(silent.stop);
  const running = await served.start(
    exporting({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url, SHUTDOWN_TIMEOUT_MS: '6000' }),
  );
  expect((await call(running, 'GET', '/DE*ABC*none')).status).toBe(404);
  await eventually(() => expect(silent.requested.length).toBeGreaterThan(0));
  await stop(running);
});

test('without an endpoint, nothing of OpenTelemetry is loaded', async () => {
  const trace = join(served.folder, 'loaded.txt');
  const hooks = `import { registerHooks } from 'node:module';
    import { appendFileSync } from 'node:fs';
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(trace)}, url + '\\n'); return next(url, context); } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`;
  await stop(await served.start({ NODE_OPTIONS }));
  const loaded = readFileSync(trace, 'utf8');
  expect(loaded).toContain('/tracing/tracing.ts');
  expect(loaded).not.toMatch(/open-telemetry|@opentelemetry.(?!api)/);
});
