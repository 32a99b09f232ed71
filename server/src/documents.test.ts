import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guides, guidesFolder } from './platform/http/guides.ts';
import { type CodeBlock, codeBlocks, expectLines, expectShape } from './testing/code-blocks.ts';
import { exampleRequests, sendExample } from './testing/document-examples.ts';
import { freePort } from './testing/free-port.ts';
import { send } from './testing/http-client.ts';
import { type PageShell, startShell } from './testing/page-shell.ts';
import { createSandbox, programFile, type Sandbox } from './testing/sandbox.ts';
import { requestToken } from './testing/test-service.ts';

/** Every code block of the guides and of the README is run as a reader would, against one demo. */

const repository = join(import.meta.dirname, '../..');
let sandbox: Sandbox;
/** The folder of the reader's programs, which the first page makes. */
let programs: string;
let demoUrl: string;
let replaced: [pattern: RegExp, value: string][];
const shells: PageShell[] = [];

beforeAll(async () => {
  sandbox = createSandbox();
  const { url } = await sandbox.start(['demo', '--no-simulation'], {
    // A shorter history than by default, of which no page shows more.
    env: { DATA_DIR: sandbox.dataDir(), HISTORY_DAYS: '400' },
  });
  demoUrl = url;
  programs = join(sandbox.folder, 'fleet-program');
  replaced = [
    [/http:\/\/127\.0\.0\.1:8080\b/g, url],
    [/\b9000\b/g, String(await freePort())],
    [/\bPORT=8081\b/g, 'PORT=0'],
    [/\/tmp(?=[/\n])/g, sandbox.folder],
  ];
  prepareCheckout();
});
afterAll(async () => {
  await Promise.all(shells.map((shell) => shell.close()));
  await sandbox.close();
});

/** What a reader packs the client from: a copy, as others may build in the repository meanwhile. */
function prepareCheckout(): void {
  const checkout = join(sandbox.folder, 'checkout');
  const isSource = (file: string) => !/client\/(dist|node_modules)/.test(file);
  cpSync(join(repository, 'client'), join(checkout, 'client'), {
    recursive: true,
    filter: isSource,
  });
  cpSync(join(repository, 'tsconfig.json'), join(checkout, 'tsconfig.json'));
  symlinkSync(join(repository, 'node_modules'), join(checkout, 'node_modules'));
  writeFileSync(join(checkout, 'package.json'), '{ "private": true, "workspaces": ["client"] }');
}

/** The registry is not needed: what is installed from it is taken from the repository. */
const setup = `
npm() {
  if [ "$*" = "install standardwebhooks" ]; then ln -s "$REPOSITORY/node_modules/standardwebhooks" node_modules/standardwebhooks
  else command npm "$@"; fi
}
npx() { [ "$1" = motorpool ] && shift && node "$PROGRAM" "$@"; }
`;

function openShell(cwd: string): PageShell {
  // A refused request fails, where a page does not say that it does.
  writeFileSync(join(sandbox.folder, '.curlrc'), 'fail-with-body\n');
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const shell = startShell(
    cwd,
    {
      PATH: path,
      HOME: sandbox.folder,
      CURL_HOME: sandbox.folder,
      REPOSITORY: repository,
      PROGRAM: programFile,
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: join(tmpdir(), 'motorpool-test-compile-cache'),
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
    setup,
  );
  shells.push(shell);
  return shell;
}

const replaceAddresses = (text: string) =>
  replaced.reduce((result, [pattern, value]) => result.replace(pattern, value), text);

async function runBlocks(blocks: readonly CodeBlock[], cwd: string): Promise<void> {
  const shell = openShell(cwd);
  let [output, errors] = ['', ''];
  for (const { language, words, text, line } of blocks) {
    const code = replaceAddresses(text);
    const kind = [language, ...words.filter((word) => !/[.=]/.test(word))].join(' ');
    switch (kind) {
      case 'sh start':
        expect(startLines, `line ${line}`).toContain(text);
        break;
      case 'sh':
      case 'sh checkout': {
        const expected = words.find((word) => word.startsWith('exit='))?.slice('exit='.length);
        const inCheckout = `(cd '${sandbox.folder}/checkout'\n${code})`;
        const ran = await shell.run(words.includes('checkout') ? inCheckout : code);
        expect(ran.code, `line ${line}: ${ran.stdout}${ran.stderr}`).toBe(Number(expected ?? 0));
        [output, errors] = [ran.stdout, ran.stderr];
        break;
      }
      case 'ts':
        writeFileSync(join(programs, words[0] ?? ''), code);
        break;
      case 'json output':
        expectShape(JSON.parse(output), JSON.parse(code), `line ${line}`);
        break;
      case 'text output':
        expectLines(output, code, `line ${line}: ${errors}`);
        break;
      default:
        expect.fail(`line ${line}: a block of "${kind}" is not run`);
    }
  }
}

/** How the README starts things; the first of them is what this test has done. */
const startLines = ['npm ci\nnpm start\n', 'npm ci && npm start\n', 'npm ci && npm test\n'];

test('npm start is the demo that the pages are run against', () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  expect(scripts.start).toBe('motorpool demo');
});

// In their order: the first one makes the folder of the programs.
test.each(guides)('the code of the guide %s runs as it stands', async (name) => {
  const blocks = codeBlocks(readFileSync(join(guidesFolder(), `${name}.md`), 'utf8'));
  await runBlocks(blocks, name === guides[0] ? sandbox.folder : programs);
});

test('the programs of the guides have correct types', () => {
  const files = globSync('*.ts', { cwd: programs });
  expect(files.length).toBeGreaterThan(8);
  const options =
    '--strict --noEmit --module nodenext --target es2023 --allowImportingTsExtensions --erasableSyntaxOnly --skipLibCheck --types node';
  const types = ['--typeRoots', join(repository, 'node_modules/@types')];
  const tsc = join(repository, 'node_modules/.bin/tsc');
  execFileSync(tsc, [...options.split(' '), ...types, ...files], { cwd: programs, stdio: 'pipe' });
});

test('the commands of the README run as they stand', async () => {
  const folder = join(sandbox.folder, 'readme');
  mkdirSync(folder);
  sandbox.dataDir('readme/.motorpool-serve');
  const blocks = codeBlocks(readFileSync(join(repository, 'README.md'), 'utf8'));
  await runBlocks(
    blocks.filter(({ language }) => language !== ''),
    folder,
  );
});

describe('the examples of the OpenAPI document', () => {
  /** Records that a demo does not begin with: the service makes their ids. */
  const made = ['blobUuid', 'clientId', 'userId', 'webhookId', 'viewId', 'erasureId'];
  /** What can be done once, and was done by an example before; an invoice that is not at that point; a file that nobody has uploaded. */
  const refused = [
    'putChecklistTemplate name-taken',
    'putInvoice invoice-number-used',
    'putInvoice status-move',
    'setIncidentOcrStatus no-document',
  ];

  test('run as they stand', async () => {
    const document = (await send(demoUrl, { path: '/openapi.json' })).json;
    const credentials = { clientId: 'demo-client', clientSecret: 'demo-secret' };
    const { json } = await requestToken(demoUrl, 'DE-ABC', credentials);
    const requests = exampleRequests(document)
      .filter(({ method }) => method !== 'DELETE')
      .filter(({ parameters }) => !parameters.some((name) => made.includes(name)));
    expect(requests.length).toBeGreaterThan(100);
    // For the reads, such as of a charging session.
    const inOrder = [...requests].sort((a, b) => Number(b.creates) - Number(a.creates));
    const failed = new Set<string>();
    for (const request of inOrder) {
      const answer = await sendExample(demoUrl, json.access_token, request);
      if (answer.status < 300) continue;
      failed.add(`${request.operationId} ${answer.json.type.split('/').at(-1)}`);
    }
    expect([...failed].sort()).toEqual(refused);
  });
});
