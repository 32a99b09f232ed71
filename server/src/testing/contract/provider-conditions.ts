import { globSync, readFileSync } from 'node:fs';

/** A condition on the provider in the SQL of the fleet's modules. */
export type Condition = { id: string; file: string; line: number; text: string };

const fleet = new URL('../../fleet/', import.meta.url).pathname;
const pattern =
  /(?:\$\{\w+\}\.|\b\w+\.)?provider = (?:\$1|\$\{\w+\}\.provider|\w+\.provider|p\.id)/g;

export function providerConditions(): Condition[] {
  const files = globSync('**/*.ts', { cwd: fleet }).filter((file) => isMarked(fleet + file));
  return files.sort().flatMap((file) => {
    const source = readFileSync(fleet + file, 'utf8');
    return [...source.matchAll(pattern)].map((match, index) => {
      const before = source.slice(0, match.index).split('\n');
      const line = source.split('\n')[before.length - 1]?.trim() ?? '';
      return { id: `${file}#${index}`, file, line: before.length, text: line };
    });
  });
}

export function isMarked(path: string): boolean {
  return (
    path.startsWith(fleet) &&
    path.endsWith('.ts') &&
    !/\.test\.ts$|contract-seed|\/demo\//.test(path)
  );
}

/** The source with comments around each condition, which identify it in a statement. */
export function markConditions(path: string, source: string): string {
  let index = 0;
  return source.replaceAll(
    pattern,
    (condition) => `/*${path.slice(fleet.length)}#${index++}*/${condition}/*end*/`,
  );
}

/** The conditions that a statement has. */
export function conditionsIn(statement: string): string[] {
  return [...statement.matchAll(/\/\*([^*]+#\d+)\*\//g)].map(([, id]) => id ?? '');
}

/** The statement with a condition replaced by true. */
export function withoutCondition(statement: string, id: string): string {
  const parts = statement.split(`/*${id}*/`);
  const mutated = parts.slice(1).map((part) => {
    const end = part.indexOf('/*end*/');
    const isTrue = part.slice(0, end).endsWith('$1') ? '$1::text is not null' : 'true';
    return isTrue + part.slice(end);
  });
  return [parts[0], ...mutated].join('');
}
