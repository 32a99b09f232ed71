import { gunzipSync } from 'node:zlib';
import { startTrapServer } from './trap-server.ts';

export type ReceivedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number>;
  failed: boolean;
};

export type Collector = {
  url: string;
  /** In the order in which they came. */
  spans: ReceivedSpan[];
  /** All that was received, as text. */
  text(): string;
  headers: Record<string, string | string[] | undefined>[];
  stop(): Promise<void>;
};

/** Receives OTLP over HTTP, in Protocol Buffers. */
export async function startCollector(): Promise<Collector> {
  const bodies: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  const headers: Collector['headers'] = [];
  const server = await startTrapServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    bodies.push(body);
    headers.push(request.headers);
    spans.push(...readRequest(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  return {
    url: server.url,
    spans,
    headers,
    text: () => Buffer.concat(bodies).toString('latin1'),
    stop: server.stop,
  };
}

type Fields = Map<number, (Buffer | bigint)[]>;

/** The fields of a message by number; a nested message, a text and bytes are bytes. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const wireType = tag & 7;
    const value =
      wireType === 0 ? varint() : bytes(wireType === 2 ? Number(varint()) : wireType === 1 ? 8 : 4);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const messagesOf = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
const bytesOf = (fields: Fields, number: number) =>
  (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const numberOf = (fields: Fields, number: number) => Number(fields.get(number)?.[0] ?? 0);

function readRequest(body: Buffer): ReceivedSpan[] {
  return messagesOf(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const [resource = new Map()] = messagesOf(resourceSpans, 1);
    const service = String(attributesOf(resource, 1)['service.name']);
    return messagesOf(resourceSpans, 2)
      .flatMap((scopeSpans) => messagesOf(scopeSpans, 2))
      .map((span) => ({
        service,
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentId: bytesOf(span, 4).toString('hex'),
        name: bytesOf(span, 5).toString(),
        kind: numberOf(span, 6),
        attributes: attributesOf(span, 9),
        failed: messagesOf(span, 15).some((status) => numberOf(status, 3) === 2),
      }));
  });
}

function attributesOf(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messagesOf(fields, number).map((pair) => {
      const [value = new Map()] = messagesOf(pair, 2);
      const isText = value.has(1);
      return [
        bytesOf(pair, 1).toString(),
        isText ? bytesOf(value, 1).toString() : numberOf(value, 3),
      ];
    }),
  );
}
