import type { Attributes } from '@opentelemetry/api';

/** The span of a request that another service has sent. */
export type RemoteParent = { traceId: string; parentId: string; isSampled: boolean };

export type SpanOptions = {
  kind: 'server' | 'client' | 'consumer';
  attributes: Attributes;
  /** By default the active span; with null, the span begins a trace. */
  parent?: RemoteParent | null | undefined;
};

/** Part of a trace. No message of an error belongs into it: it may quote values of a request. */
export type TraceSpan = {
  traceId: string;
  spanId: string;
  /** The header of requests that are sent on behalf of this span (W3C Trace Context). */
  traceparent: string;
  set(attributes: Attributes): void;
  /** `type` is a code, or the name of a class. */
  fail(type: string): void;
  end(): void;
  /** What `work` starts is beneath this span. */
  activate<Result>(work: () => Result): Result;
};

export type Tracing = {
  start(name: string, options: SpanOptions): TraceSpan;
  /** Whether there is an active span that is recorded and has not ended. */
  isRecording(): boolean;
  /** What `work` starts is beneath no span. */
  detach<Result>(work: () => Result): Result;
};

/** How a process stops tracing, within a time. */
export type TracingStop = (limitMs: number) => Promise<void>;
