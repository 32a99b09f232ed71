import Type from 'typebox';
import { describe, expect, test, vi } from 'vitest';
import { partReader } from './request-part.ts';

const address = Type.Object(
  { city: Type.String(), street: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
const schema = Type.Object(
  {
    name: Type.String(),
    seats: Type.Optional(Type.Integer({ minimum: 1 })),
    kind: Type.Optional(Type.Enum(['car', 'van'], { type: 'string' })),
    either: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    nullable: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    anything: Type.Optional(Type.Unknown()),
    home: Type.Optional(address),
    stops: Type.Optional(Type.Array(address)),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
const clock = { now: () => new Date('2026-11-15T08:30:00Z') };
const read = partReader({ schema }, clock);

describe('null in an optional property', () => {
  test('means that it is absent, at every depth', () => {
    expect(read({ name: 'a', seats: null, kind: null, either: null, home: null })).toEqual({
      value: { name: 'a' },
    });
    expect(
      read({
        name: 'a',
        home: { city: 'Berlin', street: null },
        stops: [{ city: 'Bonn', street: null }, { city: 'Ulm' }],
      }),
    ).toEqual({
      value: { name: 'a', home: { city: 'Berlin' }, stops: [{ city: 'Bonn' }, { city: 'Ulm' }] },
    });
  });

  test('stays where the schema takes it', () => {
    const sent = { name: 'a', anything: null, nullable: null };
    expect(read({ ...sent, seats: null })).toEqual({ value: sent });
    expect(read({ name: 'a', anything: { seats: null }, seats: null })).toEqual({
      value: { name: 'a', anything: { seats: null } },
    });
  });

  test('is gone before the rules and the parser look', () => {
    const rules = vi.fn(() => []);
    partReader({ schema, rules }, clock)({ name: 'a', seats: null });
    expect(rules).toHaveBeenCalledWith({ name: 'a' }, { now: clock.now() });
    const parse = vi.fn((value: object) => ({ value: Object.keys(value) }));
    const read = partReader({ schema, parse }, clock);
    expect(read({ name: 'a', seats: null })).toEqual({ value: ['name'] });
  });
});

describe('null is an issue', () => {
  test.each([
    [{ name: null }, '/name', 'name must be a string.'],
    [{ name: 'a', home: { city: null } }, '/home/city', 'home.city must be a string.'],
    [{ name: 'a', stops: [{ city: null }] }, '/stops/0/city', 'stops.0.city must be a string.'],
    [{ name: 'a', stops: [null] }, '/stops/0', 'stops.0 must be an object.'],
    [{ name: 'a', tags: [null] }, '/tags/0', 'tags.0 must be a string.'],
    [null, '', 'The body must be an object.'],
  ])('in %j', (sent, pointer, detail) => {
    expect(read(sent)).toEqual({ issues: [{ pointer, detail }] });
  });

  test.each(['unknown', '__proto__', 'toString'])(
    'in the property %s, which is not known',
    (name) => {
      const issues = [
        { pointer: `/${name}`, detail: expect.stringContaining('not a known property') },
      ];
      expect(read(JSON.parse(`{"name":"a","${name}":null}`))).toEqual({ issues });
    },
  );

  test('and the others beside it are absent still', () => {
    expect(read({ name: null, seats: null, home: { city: 7, street: null } })).toEqual({
      issues: [
        { pointer: '/name', detail: 'name must be a string.' },
        { pointer: '/home/city', detail: 'home.city must be a string.' },
      ],
    });
  });
});

describe('what is asked beyond the schema', () => {
  type Named = { name: string; tags?: string[] };
  const rules = ({ name, tags = [] }: Named) => [
    ...(name.length > 3 ? [{ pointer: '/name', detail: 'name is long.' }] : []),
    ...(tags.includes(name) ? [{ pointer: '/tags', detail: 'name is a tag.' }] : []),
  ];

  test.each([
    ['rules', partReader({ schema, rules }, clock)],
    [
      'a parser',
      partReader({ schema, parse: (sent) => ({ issues: rules(sent as Named) }) }, clock),
    ],
  ])('by %s is named together with what the schema says, each pointer once', (_, reader) => {
    const name = { pointer: '/name', detail: 'name is long.' };
    expect(reader({ name: 'long' })).toEqual({ issues: [name] });
    expect(reader({ name: 'long', seats: 0 })).toEqual({
      issues: [{ pointer: '/seats', detail: 'seats must be at least 1.' }, name],
    });
    expect(reader({ name: 'long', tags: ['long', 7] })).toEqual({
      issues: [
        { pointer: '/tags/1', detail: 'tags.1 must be a string.' },
        name,
        { pointer: '/tags', detail: 'name is a tag.' },
      ],
    });
    // Rules that fail on a malformed value leave it to the schema.
    expect(reader({ name: 7, tags: 7 })).toEqual({
      issues: [
        { pointer: '/name', detail: 'name must be a string.' },
        { pointer: '/tags', detail: 'tags must be an array.' },
      ],
    });
  });
});

describe('many issues', () => {
  const list = Type.Object({ list: Type.Array(Type.Object({ name: Type.String() })) });
  const rules = vi.fn(({ list }: { list: unknown[] }) =>
    list.map((_, index) => ({ pointer: `/list/${index}/rule`, detail: 'is not allowed' })),
  );
  const readList = partReader({ schema: list, rules: rules as never }, clock);
  const issuesOf = (sent: unknown) => {
    const read = readList(sent);
    return 'issues' in read ? read.issues : [];
  };

  test('of the schema are told up to a hundred, and then no rule is looked at', () => {
    rules.mockClear();
    expect(issuesOf({ list: Array(2_000).fill({}) })).toHaveLength(100);
    expect(rules).not.toHaveBeenCalled();
  });

  test('of the rules, too, with those of the schema or alone', () => {
    const named = Array(2_000).fill({ name: 'a' });
    expect(issuesOf({ list: named })).toHaveLength(100);
    const both = issuesOf({ list: [{}, ...named] });
    expect(both).toHaveLength(100);
    expect(both.slice(0, 3).map(({ pointer }) => pointer)).toEqual([
      '/list/0/name',
      '/list/0/rule',
      '/list/1/rule',
    ]);
  });

  test('of the rules below one of the schema are left out', () => {
    expect(issuesOf({ list: ['a', { name: 'b' }] }).map(({ pointer }) => pointer)).toEqual([
      '/list/0',
      '/list/1/rule',
    ]);
  });
});

test('of more elements than there may be, none is looked at beyond the schema', () => {
  const list = Type.Object({
    tags: Type.Array(Type.String(), { maxItems: 2 }),
    seats: Type.Integer(),
  });
  const rules = vi.fn(() => []);
  const parse = vi.fn(() => ({ issues: [] }));
  const sent = { tags: ['a', 'b', 'c'], seats: 'many' };
  const issues = [
    { pointer: '/tags', detail: 'tags must have at most 2 elements.' },
    { pointer: '/seats', detail: 'seats must be an integer.' },
  ];
  for (const part of [
    { schema: list, rules },
    { schema: list, parse },
  ])
    expect(partReader(part, clock)(sent)).toEqual({ issues });
  expect([rules, parse].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('of many names that are not known, the first five are asked about', () => {
  const names = Array.from({ length: 7 }, (_, index) => `nam${index}`);
  const sent = { name: 'a', ...Object.fromEntries(names.map((name) => [name, 1])) };
  const result = partReader({ schema }, clock)(sent);
  const details = 'issues' in result ? result.issues.map(({ detail }) => detail) : [];
  expect(details.map((detail) => detail.includes('Did you mean name?'))).toEqual(
    names.map((_, index) => index < 5),
  );
  expect(details.every((detail) => detail.includes('known are name, seats'))).toBe(true);
});
