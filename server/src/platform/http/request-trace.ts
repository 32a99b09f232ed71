import type { FastifyRequest } from 'fastify';
import type { TraceSpan } from '../tracing/trace-span.ts';
import { activeTracing } from '../tracing/tracing.ts';
import { loggedPath, type PersonalSegment } from './logged-path.ts';
import { parseTraceparent } from './traceparent.ts';

/** As log lines name the trace: the span of this service, if there is one, and that of the service that has called it. */
type LoggedTrace = { trace_id: string; span_id?: string; parent_id?: string };

declare module 'fastify' {
  interface FastifyRequest {
    trace: LoggedTrace | undefined;
    span: TraceSpan | undefined;
  }
}

const knownMethods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);
// What probes and scrapers ask for, all the time.
const untracedRoutes = /^\/(health\b|metrics$)/;

/** Takes up the trace of a request; a header that is not valid is ignored, as the standard demands. */
export function followTrace(request: FastifyRequest, personal?: PersonalSegment): void {
  const { traceparent } = request.headers;
  const parent = traceparent === undefined ? undefined : parseTraceparent(String(traceparent));
  const span = startSpan(request, parent, personal);
  if (!span && !parent) return;
  request.span = span;
  request.trace = {
    trace_id: (span ?? parent)?.traceId ?? '',
    ...(span && { span_id: span.spanId }),
    ...(parent && { parent_id: parent.parentId }),
  };
  request.log = request.log.child(request.trace);
}

function startSpan(
  { method, protocol, originalUrl, raw, routeOptions }: FastifyRequest,
  parent: ReturnType<typeof parseTraceparent>,
  personal: PersonalSegment | undefined,
): TraceSpan | undefined {
  const route = routeOptions.url;
  const tracing = activeTracing();
  if (!tracing || untracedRoutes.test(route ?? '')) return undefined;
  const isKnown = knownMethods.has(method);
  const name = isKnown ? method : 'HTTP';
  return tracing.start(route === undefined ? name : `${name} ${route}`, {
    kind: 'server',
    parent: parent ?? null,
    attributes: {
      'http.request.method': isKnown ? method : '_OTHER',
      'url.scheme': protocol,
      'url.path': loggedPath(originalUrl, personal),
      'network.protocol.version': raw.httpVersion,
      'http.route': route,
      'motorpool.operation': routeOptions.config.operationId,
    },
  });
}

/** Ends the span of a request. */
export function endSpan({ span, principal, id }: FastifyRequest, status: number): void {
  if (!span) return;
  span.set({
    'http.response.status_code': status,
    'motorpool.request_id': id,
    'motorpool.provider': principal?.provider,
    'motorpool.client': principal?.clientId,
  });
  if (status >= 500) span.fail(String(status));
  span.end();
}
