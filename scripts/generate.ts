import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Document } from '../client/codegen/document.ts';
import { methodTable } from '../client/codegen/method-table.ts';
import { operationMethods } from '../client/codegen/operation-methods.ts';
import { schemaTypes } from '../client/codegen/schema-types.ts';
import { describeInterface } from '../server/src/app.ts';
import { listSettings } from '../server/src/config.ts';

/** Writes the files that are generated from the code; with --check, fails when one is not up to date. */

const check = process.argv.includes('--check');
const root = new URL('../', import.meta.url);

const settings = [
  '| setting | default | what it does |',
  '| --- | --- | --- |',
  ...listSettings().map(
    ({ name, default: fallback, description }) =>
      `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`,
  ),
].join('\n');

const document = JSON.stringify(describeInterface(), null, 2);
await write('openapi.json', () => `${document}\n`);
const described: Document = JSON.parse(document);
await write('client/src/generated/schemas.ts', () => schemaTypes(described));
await write('client/src/generated/operations.ts', () => operationMethods(described));
await writeSection('docs/settings.md', 'settings', settings);
await writeSection('client/README.md', 'methods', methodTable());

// The schema is read from a migrated database by the test that compares it, which is also its check.
if (!check) updateSnapshot('server/src/schema.test.ts');

function updateSnapshot(test: string): void {
  const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', root));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', test, '--update'],
    { cwd: root, encoding: 'utf8' },
  );
  if (status === 0) return;
  process.exitCode = 1;
  process.stderr.write(`${stdout}${stderr}server/schema.sql could not be written.\n`);
}

/** Writes what is between the two marks of this name. */
function writeSection(name: string, section: string, content: string): Promise<void> {
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  return write(name, (page) => {
    const [before, rest] = page.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`${name} has no place for the ${section}`);
    return `${before}${begin}\n${content}\n${end}${after}`;
  });
}

async function write(name: string, generate: (current: string) => string): Promise<void> {
  const file = new URL(name, root);
  const current = await readFile(file, 'utf8').catch(() => '');
  const generated = generate(current);
  if (generated === current) return;
  if (check) {
    process.exitCode = 1;
    process.stderr.write(`${name} is not up to date: run npm run generate.\n`);
  } else await writeFile(file, generated);
}
