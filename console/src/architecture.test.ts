import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** What the console may import, and where its texts are. */

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'),
);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const imports = files.flatMap((from) =>
  [...textOf(from).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, to = '']) => ({
    from,
    to: to.startsWith('.') ? relative(root, join(root, dirname(from), to)) : to,
  })),
);

const shown = (wrong: typeof imports) => wrong.map(({ from, to }) => `${from} imports ${to}`);

test('the console knows the service by the SDK alone', () => {
  const wrong = imports.filter(
    ({ to }) => to.startsWith('..') || to.startsWith('node:') || to === 'motorpool',
  );
  expect(shown(wrong)).toEqual([]);
});

test('the shared parts import no page', () => {
  const composing = /^(app|router|start|main)\.tsx?$/;
  const wrong = imports.filter(
    ({ from, to }) =>
      to.startsWith('pages/') && !from.startsWith('pages/') && !composing.test(from),
  );
  expect(shown(wrong)).toEqual([]);
});

/** Attributes that people read or hear. */
const readAttributes =
  /\b(aria-label|aria-description|alt|title|label|placeholder|description|advice|error)="[^"]*\p{Letter}[^"]*"/u;

test('components have no texts of their own', () => {
  const wrong = files.filter((file) => file.endsWith('.tsx') && readAttributes.test(textOf(file)));
  expect(wrong).toEqual([]);
});

test('no file of a language lacks its counterpart', () => {
  const names = (language: string) =>
    readdirSync(join(root, 'texts', language)).filter((name) => name.endsWith('.ts'));
  expect(names('de')).toEqual(names('en'));
});

test('numbers are entered by the one field that reads both separators of decimals', () => {
  const wrong = files.filter((file) =>
    /\bNumberInput\b[^;]*from '@mantine\/core'/.test(textOf(file)),
  );
  expect(wrong).toEqual([]);
});

test('every form leads to its first error', () => {
  const wrong = files.filter((file) => file !== 'forms/form.tsx' && /<form\b/.test(textOf(file)));
  expect(wrong).toEqual([]);
});
