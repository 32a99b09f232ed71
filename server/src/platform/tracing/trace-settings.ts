import { UserError } from '../user-error.ts';

export type FailureLog = (reason: string) => void;

/** What the libraries do not read in the environment by themselves. */
export type TraceSettings = {
  sampler: SamplerSettings;
  batch: {
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
    maxQueueSize: number;
    maxExportBatchSize: number;
  };
  maxAttributeLength: number;
};

type SamplerSettings = {
  /** Whether a trace that another service has begun is recorded if that service says so. */
  isParentBased: boolean;
  /** The share of other traces that are recorded. */
  ratio: number;
};

const protocol = 'http/protobuf';
const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [
  name,
  `parentbased_${name}`,
]);

/** Undefined if no traces are to be exported. */
export function readTraceSettings(env: NodeJS.ProcessEnv): TraceSettings | undefined {
  const endpointName = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
    ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
    : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const endpoint = env[endpointName];
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  if (!endpoint || isOff || env.OTEL_TRACES_EXPORTER === 'none') return undefined;
  // The message does not repeat the value, which may have a password.
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new UserError(`${endpointName}: must be an address such as http://collector:4318.`);
  requireOneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp']);
  requireOneOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', [protocol]);
  requireOneOf(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', [protocol]);
  return {
    sampler: readSampler(env),
    batch: {
      scheduledDelayMillis: readNumber(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: readNumber(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      maxQueueSize: readNumber(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
      maxExportBatchSize: readNumber(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    },
    maxAttributeLength: readNumber(env, 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', 4_096),
  };
}

function readSampler(env: NodeJS.ProcessEnv): SamplerSettings {
  const name = requireOneOf(env, 'OTEL_TRACES_SAMPLER', samplers) ?? 'parentbased_always_on';
  const isParentBased = name.startsWith('parentbased_');
  if (name.endsWith('always_on')) return { isParentBased, ratio: 1 };
  if (name.endsWith('always_off')) return { isParentBased, ratio: 0 };
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1);
  if (!(ratio >= 0 && ratio <= 1))
    throw new UserError('OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1.');
  return { isParentBased, ratio };
}

function requireOneOf(
  env: NodeJS.ProcessEnv,
  name: string,
  allowed: readonly string[],
): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (allowed.includes(value)) return value;
  throw new UserError(`${name}: must be one of ${allowed.join(', ')}, not "${value}".`);
}

function readNumber(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const value = env[name];
  if (!value) return fallback;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UserError(`${name}: must be a whole number above 0, not "${value}".`);
  return Number(value);
}
