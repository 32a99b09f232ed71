import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, postgresOf, type Running, type Sandbox } from '../../../testing/sandbox.ts';

let sandbox: Sandbox;
let dataDir: string;
let survivor: Running | undefined;
beforeAll(() => {
  sandbox = createSandbox();
  dataDir = sandbox.dataDir();
});
afterAll(() => sandbox.close());

const options = () => ({ env: { DATA_DIR: dataDir } });
const refusal = () => ({
  code: 1,
  stdout: '',
  stderr: `motorpool: Another Motorpool service (pid ${survivor?.pid}) runs on the data folder ${dataDir}: stop it or set another DATA_DIR.\n`,
});

test('of two started at the same moment on a fresh folder exactly one lives', async () => {
  const both = [sandbox.spawn(['serve'], options()), sandbox.spawn(['serve'], options())];
  const ended = await Promise.race(both.map((one) => one.ended.then((end) => ({ ...end, one }))));
  survivor = both.find((one) => one !== ended.one);
  expect(ended).toMatchObject(refusal());
  await expect.poll(() => survivor?.stdout(), { timeout: 60_000 }).toContain('"listening"');
  expect(readdirSync(dataDir).filter((name) => name.startsWith('initdb-'))).toEqual([]);
});

test('the second learns of the first, which goes on', async () => {
  expect(await sandbox.run(['serve'], options())).toMatchObject(refusal());
  const url = /"url":"([^"]+)"/.exec(survivor?.stdout() ?? '')?.[1];
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
});

test('one that starts while the other stops takes over', async () => {
  survivor?.kill();
  const next = await sandbox.start(['serve'], options());
  expect((await survivor?.ended)?.code).toBe(0);
  expect((await fetch(`${next.url}/health/ready`)).status).toBe(200);
  next.kill();
  expect((await next.ended).code).toBe(0);
  expect(postgresOf(dataDir)).toBeUndefined();
});
