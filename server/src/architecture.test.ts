import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import build from '../tsconfig.build.json' with { type: 'json' };
import { modules } from './fleet/index.ts';

/** The allowed imports, at every depth of folders, types included. */

const root = import.meta.dirname;
const order = modules.map(({ name }) => name);

type Import = { from: string; to: string };

const imports = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap(importsOf);
const ofProgram = imports.filter(({ from }) => !isTest(from));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)];
  return specifiers.map(([, specifier = '']) => ({
    from: file,
    to: relative(root, join(root, dirname(file), specifier)),
  }));
}

function isTest(file: string): boolean {
  return (
    /(\.test|\.slow|\.faults|\.mutation|\/contract-seed)\.ts$/.test(file) ||
    /^(testing|faults)\//.test(file)
  );
}

function layerOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : '.';
}

/** The module that a file belongs to; none for the files that all modules share. */
function moduleOf(file: string): string | undefined {
  const [layer, module, ...rest] = file.split('/');
  return layer === 'fleet' && rest.length > 0 ? module : undefined;
}

function shown(wrong: readonly Import[]): string[] {
  return wrong.map(({ from, to }) => `${from} imports ${to}`);
}

const allowedLayers: Record<string, readonly string[]> = {
  platform: ['platform'],
  auth: ['platform', 'auth'],
  fleet: ['platform', 'auth', 'fleet'],
  simulator: ['platform', 'fleet', 'simulator'],
  demo: ['platform', 'auth', 'fleet', 'demo'],
};

test.each(Object.entries(allowedLayers))('%s imports only %j', (layer, allowed) => {
  const wrong = ofProgram.filter(
    ({ from, to }) => layerOf(from) === layer && !allowed.includes(layerOf(to)),
  );
  expect(shown(wrong)).toEqual([]);
});

test('every folder of fleet is a module of the list', () => {
  const folders = readdirSync(join(root, 'fleet'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect([...order].sort()).toEqual(folders.sort());
});

test('nobody imports of a module but its public.ts; fleet/index.ts its registration', () => {
  const wrong = ofProgram.filter(({ from, to }) => {
    const module = moduleOf(to);
    if (module === undefined || module === moduleOf(from)) return false;
    const isRegistration = from === 'fleet/index.ts' && to === `fleet/${module}/index.ts`;
    return to !== `fleet/${module}/public.ts` && !isRegistration;
  });
  expect(shown(wrong)).toEqual([]);
});

test('a module imports only modules that stand before it in the list', () => {
  const wrong = ofProgram.filter(({ from, to }) => {
    const [own, other] = [moduleOf(from), moduleOf(to)];
    if (own === undefined || other === undefined || own === other) return false;
    return order.indexOf(other) > order.indexOf(own);
  });
  expect(shown(wrong)).toEqual([]);
});

test('what all modules share imports none of them', () => {
  const wrong = ofProgram.filter(
    ({ from, to }) =>
      layerOf(from) === 'fleet' &&
      moduleOf(from) === undefined &&
      from !== 'fleet/index.ts' &&
      moduleOf(to) !== undefined,
  );
  expect(shown(wrong)).toEqual([]);
});

test('no file imports itself through others', () => {
  const byFile = Map.groupBy(ofProgram, ({ from }) => from);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) {
      for (const { to } of byFile.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    }
  };
  for (const file of byFile.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});

test('what runs in a thread or a process of its own is part of the package', () => {
  const started = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !isTest(file))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /moduleFile\(\s*import.meta.dirname,\s*'([^']+)'/g,
        ),
      ].map(([, name = '']) => `src/${join(dirname(file), name)}`),
    );
  expect([...build.files].sort()).toEqual(['src/main.ts', ...started].sort());
});
