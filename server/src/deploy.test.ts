import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { listSettings } from './config.ts';
import { documentsAtOnce as invoiceDocumentsAtOnce } from './fleet/invoices/documents/document-slots.ts';
import { attachmentLimits } from './fleet/invoices/documents/pdf-attachments.ts';
import { converterLimits } from './platform/images/image-converter.ts';
import { documentsAtOnce } from './platform/text-recognition/recognise-text.ts';
import { recognitionLimits } from './platform/text-recognition/recognised-document.ts';
import { renderChart } from './testing/render-chart.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const chart = join(root, 'deploy/helm');

/** What others than the service read: Node, the AWS SDK, the health check of the image. */
const others = ['NODE_ENV', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'HEALTH_PORT'];
const known = new Set([...listSettings().map(({ name }) => name), ...others]);
const unknown = (names: Iterable<string>) => [...names].filter((name) => !known.has(name));

type Container = {
  args: string[];
  env?: { name: string }[];
  ports: { name: string; containerPort: number }[];
  securityContext: object;
};
// biome-ignore lint/suspicious/noExplicitAny: objects of every kind of Kubernetes.
type Rendered = Record<string, any>;

test.each([
  ['as it is', {}, ['ConfigMap', 'Deployment', 'Deployment', 'PodDisruptionBudget', 'Service']],
  [
    'with all that it has',
    {
      ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls' },
      podMonitor: { enabled: true },
      settings: { MQTT_URL: 'mqtts://broker.example.com', LOG_LEVEL: 'warn' },
    },
    [
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Ingress',
      'PodDisruptionBudget',
      'PodMonitor',
      'Service',
    ],
  ],
])(
  'the chart, %s, makes objects of Kubernetes with settings that there are',
  (_, values, kinds) => {
    const objects = renderChart(chart, values) as Rendered[];
    expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds);
    expect(objects.map(({ metadata }) => metadata.name)).toContain('fleet-worker');
    const [config] = objects.filter(({ kind }) => kind === 'ConfigMap');
    expect(unknown(Object.keys(config?.data))).toEqual([]);
    expect(config?.data).toMatchObject({
      SHUTDOWN_TIMEOUT_MS: '15000',
      ...Object(values).settings,
    });
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      const [container] = containers as Container[];
      expect(unknown((container?.env ?? []).map(({ name }) => name))).toEqual([]);
      expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
      expect(terminationGracePeriodSeconds).toBe(25);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
    const [service] = objects.filter(({ kind }) => kind === 'Service');
    const serving = deployments.find(({ metadata }) => metadata.name === 'fleet-service');
    expect(serving?.spec.template.metadata.labels).toMatchObject(service?.spec.selector);
  },
);

test('pods have the memory of the processes that they start, and of the service itself', () => {
  const serviceMegabytes = 512;
  const beside = {
    'fleet-service':
      converterLimits.processes * converterLimits.megabytes +
      invoiceDocumentsAtOnce * attachmentLimits.megabytes,
    'fleet-worker': documentsAtOnce * recognitionLimits.megabytes,
  };
  const objects = renderChart(chart, {}) as Rendered[];
  for (const [name, megabytes] of Object.entries(beside)) {
    const pod = objects.find(
      ({ metadata, kind }) => kind === 'Deployment' && metadata.name === name,
    );
    const memory: string = pod?.spec.template.spec.containers[0].resources.limits.memory;
    expect(memory).toMatch(/^\d+Gi$/);
    expect(Number.parseInt(memory, 10) * 1_024).toBeGreaterThanOrEqual(
      serviceMegabytes + megabytes,
    );
  }
});

test('the services of compose.yaml have settings that there are, and what they depend on', () => {
  const { services, volumes, configs } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<
      string,
      {
        build?: string;
        environment?: Record<string, string>;
        depends_on?: string[] | Record<string, object>;
        volumes?: string[];
        configs?: { source: string }[];
      }
    >;
    volumes: object;
    configs: Record<string, { content: string }>;
  };
  const ours = Object.entries(services).filter(([, { build }]) => build);
  expect(ours.map(([name]) => name)).toEqual(['service', 'worker']);
  for (const [, { environment = {} }] of ours)
    expect(unknown(Object.keys(environment))).toEqual([]);
  for (const one of Object.values(services)) {
    const needed = one.depends_on ?? [];
    const names = Array.isArray(needed) ? needed : Object.keys(needed);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(names));
    for (const { source } of one.configs ?? []) expect(configs).toHaveProperty(source);
    for (const volume of one.volumes ?? []) {
      const [from = ''] = volume.split(':');
      if (from.startsWith('.')) expect(existsSync(join(root, from)), from).toBe(true);
      else expect(volumes).toHaveProperty(from);
    }
  }
  const scraped = parse(configs.prometheus?.content ?? '');
  expect(scraped.scrape_configs[0].static_configs[0].targets).toEqual(
    ours.map(([name, { environment }]) => `${name}:${environment?.METRICS_PORT}`),
  );
});

test('image and unit start the program of the package, with settings that there are', () => {
  const program = '/node_modules/motorpool/bin/motorpool.js';
  const [dockerfile, unit] = [read('Dockerfile'), read('deploy/systemd/motorpool.service')];
  expect(dockerfile).toContain(program);
  expect(unit).toContain(program);
  for (const line of [/^ENV (.+)$/m.exec(dockerfile), /^Environment=(.+)$/m.exec(unit)]) {
    const names = (line?.[1] ?? '').split(' ').map((one) => one.split('=')[0] ?? '');
    expect(names.length).toBeGreaterThan(1);
    expect(unknown(names)).toEqual([]);
  }
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'the unit has the exposure that its page states',
  () => {
    const { stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', 'deploy/systemd/motorpool.service'],
      { cwd: root, encoding: 'utf8' },
    );
    const exposure = /exposure level for motorpool\.service: ([\d.]+)/.exec(stdout)?.[1];
    expect(exposure).toBeDefined();
    expect(read('deploy/README.md')).toContain(`exposure of ${exposure}`);
  },
);
