import { type FailureLog, readTraceSettings } from './trace-settings.ts';
import type { SpanOptions, TraceSpan, Tracing, TracingStop } from './trace-span.ts';

let current: Tracing | undefined;

/** Undefined while traces are off. */
export function activeTracing(): Tracing | undefined {
  return current;
}

/** Exports traces if the variables of OpenTelemetry say so; otherwise nothing of it is loaded. */
export async function startTracing(
  env: NodeJS.ProcessEnv,
  onFailure: FailureLog,
): Promise<TracingStop> {
  const settings = readTraceSettings(env);
  if (!settings) return async () => {};
  const { openTelemetry } = await import('./open-telemetry.ts');
  const { tracing, stop } = openTelemetry(settings, onFailure);
  current = tracing;
  return stop;
}

/** Runs `work` in a span, which ends with it and fails with it. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: TraceSpan | undefined) => Promise<Result>,
): Promise<Result> {
  const span = current?.start(name, options);
  if (!span) return work(undefined);
  try {
    return await span.activate(() => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

export function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name ?? typeof error);
}
