/** What `npm run test:fuzz` sends everywhere. */
const sendsAll = process.env.FUZZ_REQUESTS !== undefined;

/** Every fourth of these values, another part of them each turn: the places of an operation see all of them together. */
export function valuesOfTurn<T>(values: readonly T[], turn: number): readonly T[] {
  return sendsAll ? values : values.filter((_, index) => index % 4 === turn % 4);
}

/** Values of path parameters, and the expected status where it is the same for all operations. */
export const malformedSegments: [string, number?][] = [
  ['x'.repeat(10_000)],
  ['%F0%9F%9A%97'.repeat(700)],
  ['%00', 400],
  ['D%00', 400],
  ['DE*ABC*%00', 400],
  ['%2F'],
  ['..%2F..%2Fetc%2Fpasswd'],
  ['%zz', 400],
  ['%', 400],
  ['%ff', 400],
  ['%ED%A0%80', 400],
  ["'%20or%201=1--"],
  ['%25'],
  ['%0d%0aSet-Cookie:%20a=b'],
];

export const malformedQueries = ['__proto__=1', 'nonsense=%00', '%00=1', 'a[]=1&a[]=2', 'a=1&a=2'];

export const queryValues = [
  '',
  '%00',
  '-1',
  '1e400',
  '%5B',
  '%7B%7D',
  '%5B1%5D',
  'x'.repeat(5_000),
  '%ff',
];

const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);

/** Bodies that are refused before the schema of an operation is looked at, so by all in the same way. */
export const unreadableBodies: Record<string, string | Buffer> = {
  'half a body': '{"a":',
  'a stray comma': '{"a":1,}',
  'single quotes': "{'a':1}",
  NaN: '{"a":NaN}',
  'broken UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'an overlong encoding': Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'a surrogate in UTF-8': Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  'a NUL byte': Buffer.from([0x7b, 0x22, 0x00, 0x22, 0x3a, 0x31, 0x7d]),
  'an escaped NUL in a name': '{"\\u0000":1}',
  'an escaped NUL in a value': '{"title":"\\u0000"}',
  'a lone surrogate': '{"title":"\\ud800"}',
  'a lone surrogate in a name': '{"\\udc00":1}',
  '50,000 brackets': deep('[', ']'),
  '50,000 braces': deep('{"a":', '}').replace(':}', ':1}'),
  '50,000 open brackets': '['.repeat(50_000),
  '500,000 numbers': `{"filters":[${'1,'.repeat(500_000)}1]}`,
};

/** Bodies that the schema of no operation accepts. */
export const malformedBodies: Record<string, string | Buffer> = {
  'a prototype': '{"__proto__":{"admin":true}}',
  'a constructor': '{"constructor":{"prototype":{"admin":true}}}',
  'an unknown property': '{"nonsense":1}',
  'a number past all bounds': '{"nonsense":1e400}',
  'an array': '[1]',
  'a number': '7',
  'a string': '"x"',
  null: 'null',
  true: 'true',
};

export function isArray(body: string | Buffer): boolean {
  return typeof body === 'string' && body.startsWith('[') && body.endsWith(']');
}

/** JSON that replaces any value of a body. */
export const adversarialValues = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e308',
  '-1e308',
  '1e400',
  '1e-320',
  '9007199254740993',
  '""',
  '"x"',
  '"%"',
  '"2024-02-30"',
  '"0000-01-01"',
  '"9999-12-31T23:59:59Z"',
  '"9999-12-31T23:59:59.9995Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"0001-01-01T00:00:00.0000001Z"',
  '"\\u0000"',
  '"\\ud83d"',
  '"🚗"',
  '[]',
  '[[]]',
  '{}',
  '[null]',
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify(Array.from({ length: 5_000 }, () => 'x')),
];

export type Path = (string | number)[];

export function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : [];
  const below = Object.entries(value).flatMap(([key, child]) =>
    leaves(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length > 0 ? [path, ...below] : below;
}

export function objects(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, child]) => objects(child, [...path, key]));
  return Array.isArray(value) ? below : [path, ...below];
}

/** The example as JSON, with raw JSON at one path. */
export function withValue(example: unknown, path: Path, raw: string): string {
  const placeholder = '"a value to be replaced"';
  const copy = structuredClone(example) as Record<string, unknown>;
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[path.at(-1) as string] = JSON.parse(placeholder);
  return JSON.stringify(copy).replace(placeholder, () => raw);
}
