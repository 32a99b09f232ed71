import type { Command } from 'commander';
import { parseProvider } from './arguments.ts';

/** Adds the asset provider that a command is about: its first two words, or `--provider`. */
export function takeProvider(command: Command): Command {
  return command
    .argument('<CC>', 'country code of the asset provider, two capital letters')
    .argument('<CODE>', 'code of the asset provider, three capital letters or digits')
    .option('--provider <CC-CODE>', 'the asset provider in place of the first two words: DE-ABC');
}

/** Adds an asset provider that may be left out. The words are those behind it, for the help. */
export function takeOptionalProvider(
  command: Command,
  description: string,
  words: readonly string[] = [],
): Command {
  return command
    .usage(['[options]', '[<CC> <CODE>]', ...words].join(' '))
    .option(
      '--provider <CC-CODE>',
      `${description}: DE-ABC, or DE ABC as the first two words`,
      parseProvider,
    );
}

/** The arguments as their command declares them, whichever way they name the asset provider. */
export function normalizeProvider(program: Command, argv: readonly string[]): string[] {
  const { command, start } = findCommand(program, argv);
  const head = argv.slice(0, start);
  const rest = argv.slice(start);
  const { words, option } = readArguments(command, rest);
  const isRequired = takesProviderWords(command);
  if (isRequired && option) {
    const others = rest.filter((_, index) => !option.at.includes(index));
    return [...head, ...parseProvider(option.value).split('-'), ...others];
  }
  const isNamedByWords = words.length === command.registeredArguments.length + 2;
  if (isRequired || option || !isNamedByWords || !command.options.some(isProvider))
    return [...argv];
  const [countryCode = 0, code = 0] = words;
  const others = rest.filter((_, index) => index !== countryCode && index !== code);
  return [...head, '--provider', `${rest[countryCode]}-${rest[code]}`, ...others];
}

const isProvider = (option: Command['options'][number]) => option.long === '--provider';
const takesProviderWords = (command: Command) => command.registeredArguments[0]?.name() === 'CC';

function findCommand(program: Command, argv: readonly string[]) {
  let [command, start] = [program, 2];
  for (; ; start++) {
    const next = command.commands.find((one) => one.name() === argv[start]);
    if (!next) break;
    command = next;
  }
  // The default of `audit`.
  const list = command.commands.find((one) => one.name() === 'list' && takesProviderWords(one));
  return { command: list ?? command, start };
}

/** Where the words are, without options and their values, and where `--provider` is. */
function readArguments(command: Command, args: readonly string[]) {
  const words: number[] = [];
  let option: { value: string; at: number[] } | undefined;
  for (let index = 0; index < args.length; index++) {
    const [name = '', value] = (args[index] ?? '').split('=', 2);
    const known = command.options.find(({ long, short }) => name === long || name === short);
    const at = known?.required && value === undefined ? [index, ++index] : [index];
    if (known && isProvider(known)) option = { value: value ?? args[index] ?? '', at };
    else if (!name.startsWith('-')) words.push(index);
  }
  return { words, option };
}
