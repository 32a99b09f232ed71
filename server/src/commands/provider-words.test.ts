import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram, withSubcommands } from '../main.ts';
import { normalizeProvider } from './provider-words.ts';

const program = await createProgram();
const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];
const normalized = (...args: string[]) =>
  normalizeProvider(program, ['node', 'motorpool', ...args]).slice(2);

const taking = withSubcommands(program).filter(({ options }) =>
  options.some(({ long }) => long === '--provider'),
);
const named = (command: Command) => [pathOf(command).join(' '), command] as const;
const isRequired = ({ registeredArguments }: Command) => registeredArguments[0]?.name() === 'CC';
const wordsOf = ({ registeredArguments }: Command) => registeredArguments.map((one) => one.name());

describe.each(taking.filter(isRequired).map(named))('motorpool %s', (path, command) => {
  const names = path.split(' ');
  const words = wordsOf(command).slice(2);

  test('takes the asset provider as --provider, wherever it stands', () => {
    const expected = [...names, 'DE', 'ABC', ...words];
    expect(normalized(...expected)).toEqual(expected);
    expect(normalized(...names, '--provider', 'DE-ABC', ...words)).toEqual(expected);
    expect(normalized(...names, ...words, '--provider=DE-ABC')).toEqual(expected);
    expect(normalized(...names, ...words, '--provider', 'DE-ABC')).toEqual(expected);
  });
});

describe.each(taking.filter((one) => !isRequired(one)).map(named))(
  'motorpool %s',
  (path, command) => {
    const names = path.split(' ');
    const words = wordsOf(command);

    test('takes the asset provider as two words, and can do without', () => {
      const option = ['--provider', 'DE-ABC'];
      expect(normalized(...names, ...words)).toEqual([...names, ...words]);
      expect(normalized(...names, ...words, ...option)).toEqual([...names, ...words, ...option]);
      expect(normalized(...names, 'DE', 'ABC', ...words)).toEqual([...names, ...option, ...words]);
    });

    test('shows both ways in its help', () => {
      const help = command.helpInformation().replaceAll(/\s+/g, ' ');
      expect(help).toContain(['[<CC> <CODE>]', ...words.map((word) => `<${word}>`)].join(' '));
      expect(help).toContain('--provider <CC-CODE>');
    });
  },
);

test('every command that has to do with one asset provider is there', () => {
  expect(taking.map((command) => pathOf(command).join(' '))).toEqual(
    expect.arrayContaining(['client list', 'client role', 'user list', 'user role', 'simulate']),
  );
  expect(
    withSubcommands(program)
      .filter(isRequired)
      .every((one) => taking.includes(one)),
  ).toBe(true);
});

test('values of options are no words', () => {
  const rotate = ['--keep-previous', '24', 'DE', '--json', 'ABC', 'erp'];
  expect(normalized('client', 'rotate', ...rotate)).toEqual(
    'client rotate --provider DE-ABC --keep-previous 24 --json erp'.split(' '),
  );
  expect(normalized('client', 'rotate', '--keep-previous', '24', 'erp', '--json')).toEqual(
    'client rotate --keep-previous 24 erp --json'.split(' '),
  );
});

test('the default of audit takes it as well', () => {
  expect(normalized('audit', '--limit', '5', '--provider', 'DE-ABC')).toEqual(
    'audit DE ABC --limit 5'.split(' '),
  );
});

test('what is no asset provider is refused', () => {
  expect(() => normalized('user', 'remove', 'anna', '--provider', 'DE')).toThrow('such as DE-ABC');
  expect(() => normalized('user', 'remove', 'anna', '--provider', 'de-abc')).toThrow(
    'two capital letters',
  );
});
