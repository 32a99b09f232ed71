/** Archives in the format ustar, as a stream; `tar tf` lists them. */

export type TarEntry = {
  name: string;
  size: number;
  /** Read before the next entry, or skipped. */
  body: AsyncGenerator<Buffer>;
};

const blockBytes = 512;
const endOfArchive = Buffer.alloc(2 * blockBytes);
// Beyond what eleven octal digits hold, the size is binary, as GNU tar and bsdtar write it.
const maxOctalSize = 8 ** 11;

export class InvalidArchive extends Error {
  override readonly name = 'InvalidArchive';
}

/** The blocks of one entry; the body must have exactly this size. */
export async function* tarEntry(
  name: string,
  size: number,
  body: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield header(name, size);
  let written = 0;
  for await (const chunk of body) {
    written += chunk.length;
    if (written > size) break;
    yield chunk;
  }
  if (written !== size) throw new InvalidArchive(`${name} has other than the ${size} bytes it had`);
  if (size % blockBytes > 0) yield Buffer.alloc(blockBytes - (size % blockBytes));
}

export function tarEnd(): Buffer {
  return endOfArchive;
}

export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const block = await bytes.exactly(blockBytes);
    if (block.every((byte) => byte === 0)) break;
    const { name, size } = parseHeader(block);
    const body = bytes.next(size);
    yield { name, size, body };
    for await (const _skipped of body);
    await bytes.exactly((blockBytes - (size % blockBytes)) % blockBytes);
  }
  // To the end, so that the checksum of the compression is verified.
  for await (const _rest of bytes.rest());
}

function header(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new InvalidArchive(`${name} is too long a name`);
  const block = Buffer.alloc(blockBytes);
  block.write(name);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  if (size < maxOctalSize) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  block.write('00000000000\0', 136);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function parseHeader(block: Buffer): { name: string; size: number } {
  const textAt = (start: number, length: number) =>
    block.toString('utf8', start, start + length).split('\0', 1)[0] ?? '';
  if (Number.parseInt(textAt(148, 8), 8) !== checksumOf(block))
    throw new InvalidArchive('it is no archive, or a block of it is damaged');
  const isBinary = block[124] === 0x80;
  const size = isBinary
    ? Number(block.readBigUInt64BE(128))
    : Number.parseInt(textAt(124, 12).trim(), 8);
  return { name: textAt(0, 100), size };
}

/** The checksum itself counts as blanks. */
function checksumOf(block: Buffer): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
}

class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async exactly(count: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.next(count)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async *next(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0; ) {
      if (this.#left.length === 0) {
        const { value, done } = await this.#source.next();
        if (done) throw new InvalidArchive('it ends too early');
        this.#left = value;
      }
      const chunk = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(chunk.length);
      missing -= chunk.length;
      yield chunk;
    }
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next())
      yield next.value;
  }
}
