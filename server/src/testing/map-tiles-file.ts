/** The smallest files of map tiles: the same tile everywhere. https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */

type TileKind = 'vector' | 'png';

const headerLength = 127;
const noCompression = 1;
const kinds: Record<TileKind, number> = { vector: 1, png: 2 };
const maxZoom = 2;
/** All tiles of the zooms. */
const tileCount = 21;

export function mapTilesFile(kind: TileKind, tile: Buffer): Buffer {
  // One entry: it begins at tile 0, is repeated, and lies at the beginning of the data.
  const directory = Buffer.concat([1, 0, tileCount, tile.length, 1].map(varint));
  const metadata = Buffer.from(JSON.stringify({ attribution: 'Our own streets' }));
  const header = Buffer.alloc(headerLength);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  const parts = [directory, metadata, Buffer.alloc(0), tile];
  let offset = headerLength;
  for (const [index, { length }] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + index * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + index * 16);
    offset += length;
  }
  header.writeBigUInt64LE(BigInt(tileCount), 72);
  header.writeBigUInt64LE(1n, 80);
  header.writeBigUInt64LE(1n, 88);
  header.writeUInt8(1, 96);
  header.writeUInt8(noCompression, 97);
  header.writeUInt8(noCompression, 98);
  header.writeUInt8(kinds[kind], 99);
  header.writeUInt8(0, 100);
  header.writeUInt8(maxZoom, 101);
  for (const [index, degrees] of [-180, -85, 180, 85].entries())
    header.writeInt32LE(degrees * 1e7, 102 + index * 4);
  return Buffer.concat([header, ...parts]);
}

/** A vector tile that one layer covers. https://github.com/mapbox/vector-tile-spec */
export function coveredTile(layer: string): Buffer {
  const extent = 4_096;
  const moveTo = 9;
  const lineTo = 26;
  const closePath = 15;
  const across = extent * 2;
  const back = extent * 2 - 1;
  const geometry = [moveTo, 0, 0, lineTo, across, 0, 0, across, back, 0, closePath].map(varint);
  const polygon = Buffer.concat([varint(3 << 3), varint(3), field(4, Buffer.concat(geometry))]);
  const version = Buffer.concat([varint(15 << 3), varint(2)]);
  const size = Buffer.concat([varint(5 << 3), varint(extent)]);
  return field(3, Buffer.concat([version, field(1, Buffer.from(layer)), field(2, polygon), size]));
}

/** A field of bytes, in the encoding of Protocol Buffers. */
function field(id: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
