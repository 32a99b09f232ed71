import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeFleet } from '../../../testing/make-fleet.ts';
import { createServed, type Served } from '../../../testing/serve.ts';
import { connectBox, hasMosquitto, startMosquitto } from '../../../testing/start-broker.ts';

let served: Served;
beforeAll(async () => {
  served = await createServed();
  await makeFleet(served.db, 'DE', 'ABC', 1);
  await served.db.query('delete from vehicle_history');
  await served.db.query(
    `insert into databoxes (provider, serial, vehicle_id, paired_at, created_at, updated_at)
     select 'DE-ABC', 'BX-0', id, now(), now(), now() from vehicles where provider = 'DE-ABC'`,
  );
});
afterAll(() => served.close());

const mosquittoPasswd = '/usr/bin/mosquitto_passwd';
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 });

test.runIf(hasMosquitto)(
  'a broker that wants a password and has an ACL gets it, and no log does',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'motorpool-acl-'));
    const [passwords, acl] = [join(folder, 'passwd'), join(folder, 'acl')];
    await writeFile(passwords, 'motorpool:p@ss/word\nDE/ABC/BX-0:box\n');
    execFileSync(mosquittoPasswd, ['-U', passwords]);
    await writeFile(
      acl,
      'user motorpool\ntopic read motorpool/+/+/+/messages\n\npattern write motorpool/%u/messages\n',
    );
    const broker = await startMosquitto(
      `allow_anonymous false\npassword_file ${passwords}\nacl_file ${acl}\n`,
    );
    const urlWith = (password: string) =>
      broker.url.replace('//', `//motorpool:${encodeURIComponent(password)}@`);

    const refused = await served.start({ MQTT_URL: urlWith('wr0ng!') });
    await eventually(() => expect(refused.stdout()).toContain('Not authorized'));
    const ready = await fetch(`${refused.url}/health/ready`);
    expect(await ready.json()).toEqual({ status: 'ok', mqtt: 'disconnected' });
    refused.kill();
    expect(await refused.ended).toMatchObject({ code: 0, stderr: '' });
    expect(refused.stdout()).not.toContain('wr0ng');

    const service = await served.start({ MQTT_URL: urlWith('p@ss/word') });
    await eventually(() => expect(service.stdout()).toContain('subscribed to the MQTT broker'));
    const box = await connectBox(broker, { username: 'DE/ABC/BX-0', password: 'box' });
    const begin = Date.now() - 60_000;
    const message = (odometer: number) =>
      JSON.stringify({ timestamp: new Date(begin + odometer).toISOString(), odometer });
    const foreign = box.publishAsync('motorpool/DE/ABC/BX-1/messages', message(1), { qos: 1 });
    await expect(foreign).rejects.toThrow('Not authorized');
    await box.publishAsync('motorpool/DE/ABC/BX-0/messages', message(2), { qos: 1 });
    await eventually(async () =>
      expect(await served.db.query('select odometer from vehicle_history')).toEqual([
        { odometer: 2 },
      ]),
    );
    // A broker disconnects whoever had the client id before, whatever their names are.
    const clientId = /"session":"([^"]+)"/.exec(service.stdout())?.[1] ?? '';
    expect(clientId).toBe('motorpool-0');
    const other = await connectBox(broker, { clientId, username: 'DE/ABC/BX-0', password: 'box' });
    await box.publishAsync('motorpool/DE/ABC/BX-0/messages', message(3), { qos: 1 });
    await eventually(async () =>
      expect(await served.db.query('select odometer from vehicle_statuses')).toEqual([
        { odometer: 3 },
      ]),
    );
    expect(service.stdout()).not.toContain('is lost');
    await other.endAsync();
    await box.endAsync();
    service.kill();
    await service.ended;
    expect(service.stdout()).not.toMatch(/p@ss|p%40ss/);
    await broker.stop();
    await broker.remove();
    await rm(folder, { recursive: true });
  },
);
