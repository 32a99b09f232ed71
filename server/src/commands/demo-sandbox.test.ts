import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase } from '../testing/test-database.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox();
});
afterAll(() => sandbox.close());

test('--reset removes no provider that is not of the demo', async () => {
  const database = await createTestDatabase();
  try {
    const reset = () => sandbox.run(['demo', '--reset'], { env: database.env });
    const db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
    await db.query('update providers set demo = false');
    await db.close();
    const { code, stderr } = await reset();
    expect([code, stderr]).toEqual([1, expect.stringContaining('not of the demo')]);
  } finally {
    await database.drop();
  }
});

test.each(['2027-02-30', 'tomorrow', '1999-01-01', ''])('--at %s is refused', async (at) => {
  const { code, stderr } = await runCommand(['demo', '--at', at]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^motorpool: --at must be a date/)]);
});

test('serve knows neither', async () => {
  for (const option of ['--reset', '--at=2027-03-01']) {
    const { code, stderr } = await runCommand(['serve', option]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown option')]);
  }
});
