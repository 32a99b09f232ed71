import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { buildInfo } from '../build-info.ts';
import type { FailureLog, TraceSettings } from './trace-settings.ts';
import type { RemoteParent, SpanOptions, TraceSpan, Tracing, TracingStop } from './trace-span.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Records spans and sends them to the collector that the environment names. */
export function openTelemetry(
  settings: TraceSettings,
  onFailure: FailureLog,
): { tracing: Tracing; stop: TracingStop } {
  reportFailures(onFailure);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': 'motorpool',
          'service.version': buildInfo.version,
        }),
      )
      .merge(
        detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
      ),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: settings.maxAttributeLength },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...settings.batch }),
    ],
  });
  const tracer = provider.getTracer('motorpool', buildInfo.version);
  const active = new AsyncLocalStorage<Span | undefined>();
  const tracing: Tracing = {
    start(name, { kind, attributes, parent }) {
      const context = contextOf(parent, active.getStore());
      return traceSpan(tracer.startSpan(name, { kind: kinds[kind], attributes }, context), active);
    },
    isRecording: () => active.getStore()?.isRecording() ?? false,
    detach: (work) => active.run(undefined, work),
  };
  return {
    tracing,
    async stop(limitMs) {
      const flushed = provider.shutdown().catch((error: Error) => onFailure(error.message));
      await Promise.race([flushed, sleep(limitMs, undefined, { ref: false })]);
    },
  };
}

function contextOf(parent: SpanOptions['parent'], active: Span | undefined): Context {
  if (parent) return trace.setSpanContext(ROOT_CONTEXT, remoteContext(parent));
  return active && parent === undefined ? trace.setSpan(ROOT_CONTEXT, active) : ROOT_CONTEXT;
}

function remoteContext({ traceId, parentId, isSampled }: RemoteParent) {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId: parentId, traceFlags, isRemote: true };
}

function traceSpan(span: Span, active: AsyncLocalStorage<Span | undefined>): TraceSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
    activate: (work) => active.run(span, work),
  };
}

function samplerOf({ sampler: { isParentBased, ratio } }: TraceSettings): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function reportFailures(onFailure: FailureLog): void {
  const report = (text: string) => onFailure(reasonOf(text));
  const ignore = () => {};
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The library writes an error as JSON, with its stack and what the collector has answered. */
function reasonOf(text: string): string {
  try {
    const { message, code } = JSON.parse(text);
    return [message, code].filter(Boolean).join(' ');
  } catch {
    return text;
  }
}
