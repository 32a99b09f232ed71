import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealEvents } from '../fleet/audit/seal-events.ts';
import { runCommand } from '../testing/run-command.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

const motorpool = (...args: string[]) => runCommand(args, { env: service.database.env });

test('what commands and requests change is listed, newest first', async () => {
  const added = await motorpool('client', 'add', 'DE', 'ABC', '--name', 'ERP', '--json');
  const { clientId, clientSecret } = JSON.parse(added.stdout);
  await service.call('PUT', '/DE*ABC*V0001', { information: { seats: 5 } });

  const json = await motorpool('audit', 'DE', 'ABC', '--json');
  expect(json.stdout).not.toContain(clientSecret);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { type: 'vehicle', operation: 'putVehicle', changes: { seats: { after: 5 } } },
    {
      action: 'created',
      type: 'client',
      recordId: clientId,
      actor: { kind: 'command', username: userInfo().username },
      operation: 'client add',
      changes: { name: { after: 'ERP' }, secretHash: { after: '***' } },
    },
  ]);

  const { code, stdout } = await motorpool('audit', 'list', 'DE', 'ABC', '--type', 'vehicle');
  expect([code, stdout.trim().split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(
        /^occurredAt +action +type +record +actor +client +address +operation +changed$/,
      ),
      expect.stringMatching(
        / created +vehicle +DE\*ABC\*V0001 +demo-client +demo-client +127\.0\.0\.1 +putVehicle +active defaultImage seats$/,
      ),
    ],
  ]);
  const later = await motorpool('audit', 'list', 'DE', 'ABC', '--since', '2099-01-01');
  expect(later.stdout).toBe('None.\n');
});

test('a whole chain verifies, and its head can be kept; a broken one fails with the reason', async () => {
  await sealEvents(service.db);
  const whole = await motorpool('audit', 'verify', '--json');
  expect(whole.code).toBe(0);
  const [{ head }] = JSON.parse(whole.stdout);
  const expecting = ['audit', 'verify', '--provider', 'DE-ABC', '--expect', head];
  const kept = await motorpool(...expecting);
  expect(kept).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(head) });

  await service.owner.query('delete from audit_seals');
  const cut = await motorpool(...expecting);
  expect(cut).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no seal has the kept hash'),
  });
  await sealEvents(service.db);
  await service.owner.query(`update audit_events set actor = '{"kind": "command"}'`);
  const altered = await motorpool('audit', 'verify');
  expect(altered).toMatchObject({ code: 1, stderr: expect.stringContaining('DE-ABC: seal 1') });

  await service.owner.query('delete from audit_events');
  const emptied = await motorpool('audit', 'verify');
  expect(emptied).toMatchObject({ code: 1, stderr: expect.stringContaining('missing') });

  const without = await motorpool('audit', 'verify', '--expect', head);
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('--provider') });
});
