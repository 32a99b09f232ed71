import { expect, test } from 'vitest';
import { readTraceSettings } from './trace-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { ...endpoint, OTEL_SDK_DISABLED: 'true' },
  { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
])('%o exports no traces', (env) => {
  expect(readTraceSettings(env)).toBeUndefined();
});

test.each([
  ['', '', { isParentBased: true, ratio: 1 }],
  ['always_on', '', { isParentBased: false, ratio: 1 }],
  ['always_off', '', { isParentBased: false, ratio: 0 }],
  ['traceidratio', '0.25', { isParentBased: false, ratio: 0.25 }],
  ['parentbased_always_off', '', { isParentBased: true, ratio: 0 }],
  ['parentbased_traceidratio', '0', { isParentBased: true, ratio: 0 }],
])('the sampler "%s" with "%s"', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, sampler) => {
  const env = { ...endpoint, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG };
  expect(readTraceSettings(env)).toMatchObject({ sampler });
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_TRACES_SAMPLER', 'some'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_BSP_MAX_QUEUE_SIZE', 'many'],
])('%s=%s is refused in one sentence', (name, value) => {
  const env = { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', [name]: value };
  expect(() => readTraceSettings(env)).toThrow(new RegExp(`^${name}: must be .*\\.$`));
});
