import { type Duplex, Transform, type TransformCallback } from 'node:stream';

const publish = 3;
const none = Buffer.alloc(0);

/**
 * Has what a broker of MQTT 5 sends read without the properties of its messages: they are of no use here, and the library
 * parses as many as a publisher likes in one turn of the event loop (docs/decisions/0045-mqtt.md).
 */
export function dropPublishProperties(stream: Duplex): Duplex {
  const filter = new PropertyFilter();
  filter.on('error', (error) => stream.destroy(error));
  const pipe = stream.pipe.bind(stream);
  // The same stream, as the library also listens to it and closes it.
  stream.pipe = (destination, options) => pipe(filter, options).pipe(destination, options);
  return stream;
}

export class PropertyFilter extends Transform {
  #head = none;
  #skipBytes = 0;
  #passBytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      let rest = chunk;
      while (rest.length > 0) rest = this.#take(rest);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  /** Returns what is left of the bytes. */
  #take(bytes: Buffer): Buffer {
    if (this.#skipBytes > 0) {
      const count = Math.min(this.#skipBytes, bytes.length);
      this.#skipBytes -= count;
      return bytes.subarray(count);
    }
    if (this.#passBytes > 0) {
      const count = Math.min(this.#passBytes, bytes.length);
      this.#passBytes -= count;
      this.push(bytes.subarray(0, count));
      return bytes.subarray(count);
    }
    // The head of a packet has 64 KiB at most, the length of a topic.
    const all = this.#head.length > 0 ? Buffer.concat([this.#head, bytes]) : bytes;
    const head = readHead(all);
    if (!head) {
      this.#head = Buffer.from(all);
      return none;
    }
    this.#head = none;
    this.push(head.send);
    this.#skipBytes = head.skipBytes;
    this.#passBytes = head.passBytes;
    return all.subarray(head.bytes);
  }
}

type Head = {
  /** How many bytes it had. */
  bytes: number;
  /** What takes its place. */
  send: Buffer;
  skipBytes: number;
  /** Of the packet, after what is skipped. */
  passBytes: number;
};

/** Of a packet, up to its properties if it is a message; undefined when more bytes are needed. */
function readHead(all: Buffer): Head | undefined {
  const length = readNumber(all, 1);
  const [first = 0] = all;
  if (!length) return undefined;
  const begin = length.end;
  if (first >> 4 !== publish)
    return {
      bytes: begin,
      send: all.subarray(0, begin),
      skipBytes: 0,
      passBytes: length.value,
    };
  if (all.length < begin + 2) return undefined;
  const hasId = (first & 0b0110) !== 0;
  const topicEnd = begin + 2 + all.readUInt16BE(begin) + (hasId ? 2 : 0);
  const properties = readNumber(all, topicEnd);
  if (!properties) return undefined;
  const passBytes = begin + length.value - properties.end - properties.value;
  if (passBytes < 0) throw new Error('the broker sent a malformed message');
  const kept = all.subarray(begin, topicEnd);
  const size = encodeNumber(kept.length + 1 + passBytes);
  return {
    bytes: properties.end,
    send: Buffer.concat([Buffer.of(first), size, kept, Buffer.of(0)]),
    skipBytes: properties.value,
    passBytes,
  };
}

/** A number of one to four bytes, the lowest seven bits first. */
function readNumber(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  throw new Error('the broker sent a malformed length');
}

function encodeNumber(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest >>= 7)
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  return Buffer.from(bytes);
}
