import type { RemoteParent } from '../tracing/trace-span.ts';

// Version ff is none; a later version than 00 may have more parts.
const form =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The trace that a request belongs to (W3C Trace Context); undefined when the header is not valid. */
export function parseTraceparent(header: string): RemoteParent | undefined {
  const [, version, traceId, parentId, flags = '', more] = form.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, parentId, isSampled: Number.parseInt(flags, 16) % 2 === 1 };
}
