import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { guides, guidesFolder, guidesPath, readGuide } from './guides.ts';
import { renderMarkdown } from './markdown.ts';
import { plainKinds, problemsPath } from './problem.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const get = (path: string, headers = {}) => service.send({ path, headers });
const paths = [guidesPath, ...guides.map((name) => `${guidesPath}/${name}`)];

test('every page of the folder is served, and listed where people look for it', async () => {
  const files = readdirSync(guidesFolder()).sort();
  expect(files).toEqual(guides.map((name) => `${name}.md`).sort());
  const index = (await get(guidesPath)).text;
  const inRepository = readFileSync(join(guidesFolder(), '../README.md'), 'utf8');
  for (const name of guides) {
    expect(index).toContain(`href="${guidesPath}/${name}"`);
    expect(inRepository).toContain(`(guides/${name}.md)`);
  }
  expect((await get('/docs')).text).toContain(`href="${guidesPath}"`);
  expect((await get('/openapi.json')).json.externalDocs.url).toBe(guidesPath);
});

test.each(paths)('%s loads nothing, runs nothing, and links to what exists', async (path) => {
  const { status, headers, text } = await get(path);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(text).not.toMatch(/<script|\ssrc=|\sstyle=|\son\w+=|url\(|@import/);
  for (const [, href = ''] of text.matchAll(/href="([^"]+)"/g)) {
    if (href.startsWith('https://')) continue;
    const [target = '', id] = href.split('#');
    const page = await get(target || path);
    expect(page.status, href).toBe(200);
    if (id) expect(page.text, href).toContain(`id="${id}"`);
  }
});

test('what is pasted from a page goes to the service that serves it', async () => {
  const { text } = await get(`${guidesPath}/getting-started`);
  expect(text).toContain(`curl -s ${service.url}/realms/DE-ABC/`);
  expect(text).not.toContain('127.0.0.1:8080');
});

test('a page that the client has already is not sent again', async () => {
  const path = `${guidesPath}/errors`;
  const { headers } = await get(path);
  expect((await get(path, { 'if-none-match': headers.etag })).status).toBe(304);
});

test.each([`${guidesPath}/nothing`, `${guidesPath}/..%2foperations`, `${problemsPath}/nothing`])(
  'there is nothing at %s',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test('HTML in a page is shown, not executed', () => {
  const { html } = renderMarkdown(
    '# A\n\n<script>alert(1)</script> and <b>b</b>\n\n```sh x\n<i>\n```',
    {
      resolve: (href) => href,
    },
  );
  expect(html).not.toMatch(/<script|<b>|<i>/);
  expect(html).toContain('&lt;script&gt;');
});

describe('problems', () => {
  /** Every kind that the code answers with; what makes one of another's kind has no literal. */
  function kindsInCode(): Set<string> {
    const root = join(import.meta.dirname, '../..');
    const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
    const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const made = /new (?:Problem\(\s*\w+,|AdministrationConflict\()\s*('?)([\w.-]+)/g;
    const kinds = [...code.matchAll(made)];
    const derived = kinds.filter(([, quote]) => quote === '').map(([, , expression]) => expression);
    expect(derived.sort()).toEqual(['kind', 'kind', 'kind', 'known.kind']);
    expect(kinds).toHaveLength(
      [...code.matchAll(/new (Problem|AdministrationConflict)\(/g)].length,
    );
    const literal = kinds.filter(([, quote]) => quote === "'").map(([, , kind = '']) => kind);
    return new Set([...literal, ...plainKinds]);
  }

  test('the page of errors has every kind, none that does not exist, and says what to do', () => {
    const { sections } = readGuide(guidesFolder(), 'errors');
    expect([...sections.keys()].sort()).toEqual([...kindsInCode()].sort());
    for (const [kind, { html }] of sections)
      expect(html, kind).toMatch(/<p>.+<\/p>\n<p><strong>What to do:<\/strong> .+<\/p>/s);
  });

  test('the type of a problem is a URL that answers with its description', async () => {
    const { json } = await get('/nowhere');
    const page = await fetch(json.type);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const text = await page.text();
    for (const part of ['404 Not Found', 'Nothing is served at this path.', 'What to do:'])
      expect(text).toContain(part);
  });
});
