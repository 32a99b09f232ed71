import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The package as it is published. */

const client = import.meta.dirname;
let folder: string;
let tarball: string;
// Of this Node.js, which the tools run on as well.
const bin = join(client, '../node_modules/.bin');
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
function run(command: string, args: readonly string[], cwd = client): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
}
const runTool = (name: string, args: readonly string[], cwd = client) =>
  run(join(bin, name), args, cwd);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'motorpool-client-'));
  run('npm', ['pack', '--silent', '--pack-destination', folder]);
  tarball = join(folder, globSync('*.tgz', { cwd: folder })[0] ?? '');
  run('tar', ['xzf', tarball], folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('it has no dependency, and nothing but what runs', () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, 'package/package.json'), 'utf8'),
  );
  expect({ dependencies, peerDependencies }).toEqual({});
  const files = globSync('package/**/*.*', { cwd: folder });
  expect(files.filter((file) => !/\.(js|d\.ts|json|md)$|LICENSE/.test(file))).toEqual([]);
  expect(files.filter((file) => /test/.test(file))).toEqual([]);
});

test('publint and Are The Types Wrong find nothing', () => {
  runTool('publint', [tarball, '--strict']);
  runTool('attw', [tarball, '--profile', 'esm-only']);
});

test('its types serve programs that check strictly', () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const program = join(folder, 'program.ts');
  const lib = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable'];
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', ...lib];
  writeFileSync(program, typedProgram);
  runTool('tsc', [...options, program], folder);
  writeFileSync(program, typedProgram.replace('.licensePlate', '.licencePlate'));
  expect(() => runTool('tsc', [...options, program], folder)).toThrow('licencePlate');
});

const typedProgram = `
import { Motorpool, ProblemError, verifyWebhook } from './package/dist/index.js';
const fleet = new Motorpool({ baseUrl: 'https://x', provider: 'DE/ABC', clientId: 'a', clientSecret: 'b' });
for await (const vehicle of fleet.vehicles.find({ searchText: 'golf' })) {
  const plate: string | undefined = vehicle.information.licensePlate;
  console.log(plate);
}
for await (const event of fleet.events.stream({ types: ['incident.created.v1'] })) console.log(event.type);
const error: unknown = new Error();
if (error instanceof ProblemError) console.log(error.errors[0]?.pointer);
console.log(await verifyWebhook({ secret: 'x', headers: new Headers(), body: '' }));
`;

test('all of it is small', () => {
  const code = globSync('package/dist/**/*.js', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file)),
  );
  expect(gzipSync(Buffer.concat(code)).length).toBeLessThan(10_000);
});
