import type { TraceSpan, Tracing } from '../tracing/trace-span.ts';
import { activeTracing, errorType } from '../tracing/tracing.ts';

const sqlState = /^[0-9A-Z]{5}$/;
const table = /\b(?:from|into|update|join)\s+(?!lateral\b|select\b)([a-z_][\w.]*)/i;

/** The value of a setting cannot be a placeholder, and may name who acts. */
const settingValue = /^(set local motorpool\.\w+ =).*/s;

/** Records a statement that runs as a span of what is active; its text has placeholders for all values. */
export function recordStatement<Result>(text: string, result: Promise<Result>): Promise<Result> {
  const tracing = activeTracing();
  return tracing?.isRecording() ? untilSettled(startSpan(tracing, text), result) : result;
}

function startSpan(tracing: Tracing, text: string): TraceSpan {
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
  const summary = [operation, table.exec(text)?.[1]].filter(Boolean).join(' ');
  return tracing.start(summary, {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      'db.query.text': text.replace(settingValue, '$1 ?').replaceAll(/\s+/g, ' ').trim(),
    },
  });
}

async function untilSettled<Result>(span: TraceSpan, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    const type = errorType(error);
    if (sqlState.test(type)) span.set({ 'db.response.status_code': type });
    span.fail(type);
    throw error;
  } finally {
    span.end();
  }
}
