import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { launchChrome } from '../testing/chrome.ts';
import { openConsole, signIn, untilLoaded } from '../testing/console-page.ts';
import { makeRecord } from '../testing/make-record.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** What an administrator, an editor and a viewer do in the settings. */

const viewer = { username: 'vera', password: 'nine otters cross the river' };

let service: TestService;
let browser: Browser;
let settings: string;
beforeAll(async () => {
  service = await startTestService();
  settings = `${service.url}/console/DE-ABC/settings`;
  await addUser(service.db, 'DE-ABC', viewer.username, viewer.password, 'viewer', 'Vera');
  await service.call('PUT', '/DE*ABC*S1', { information: { licensePlate: 'HH-SE 1' } });
  await service.call('PUT', '/DE*ABC*S2', { information: { licensePlate: 'HH-SE 2' } });
  await service.call('PUT', '/databoxes/BX-1', { vehicleId: 'DE*ABC*S1' });
  await service.call('POST', '/maintenance-schedules', {
    title: 'Annual service',
    intervalMonths: 12,
    intervalDistance: 15_000,
  });
  await service.call('POST', '/checklist-templates', {
    name: 'Handover',
    entries: [{ title: 'Keys', type: 'check' }],
  });
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function opened(section: string, user?: typeof viewer) {
  const console = await openConsole(browser, service);
  await console.page.goto(`${settings}/${section}`);
  await signIn(console.page, user);
  await untilLoaded(console.page);
  return console;
}

const choose = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** The status with which a client gets a token. */
async function requestToken(id: string, secret: string): Promise<number> {
  const { status } = await service.send({
    method: 'POST',
    path: '/realms/DE-ABC/protocol/openid-connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }).toString(),
  });
  return status;
}

const shownSecret = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: /^The secret of/ });
  await dialog.waitFor();
  const shownValue = async (label: string) =>
    (
      await dialog
        .locator('div:has(> button)')
        .filter({ has: page.getByRole('button', { name: `Copy: ${label}` }) })
        .locator('span')
        .first()
        .innerText()
    ).trim();
  return {
    id: await shownValue('Client id'),
    secret: await shownValue('Client secret'),
    close: () => dialog.getByRole('button', { name: 'I have stored it' }).click(),
  };
};

test('an administrator creates a client, whose secret gets a token, rotates it, disables and deletes it', async () => {
  const { page, complaints, close } = await opened('clients');
  await page.getByRole('button', { name: 'New client' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Create client' }).click();
  await form.getByText('This is needed.').waitFor();
  await form.getByLabel('Name').fill('ERP');
  await form.getByRole('button', { name: 'Create client' }).click();
  const first = await shownSecret(page);
  expect(await requestToken(first.id, first.secret)).toBe(200);
  await first.close();
  await page.getByRole('cell', { name: /^ERP/ }).waitFor();

  await choose(page, 'ERP', 'New secret');
  await page.getByRole('button', { name: 'Issue a new secret' }).click();
  const second = await shownSecret(page);
  expect(second.secret).not.toBe(first.secret);
  expect(await requestToken(second.id, second.secret)).toBe(200);
  await second.close();

  await choose(page, 'ERP', 'Disable');
  await page.getByText('Disabled', { exact: true }).waitFor();
  expect(await requestToken(second.id, second.secret)).toBe(401);

  await choose(page, 'ERP', 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete client' }).click();
  await page.getByText('ERP is deleted').waitFor();
  await page.getByRole('cell', { name: /^ERP/ }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('a secret that is shown once is left by its button, and by no other way without a question', async () => {
  const { page, close } = await opened('webhooks');
  const mayClose = () =>
    page.evaluate('dispatchEvent(new Event("beforeunload", { cancelable: true }))');
  await page.getByRole('link', { name: 'API clients' }).click();
  await page.getByRole('button', { name: 'New client' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Once');
  await page.getByRole('button', { name: 'Create client' }).click();
  const dialog = page.getByRole('dialog', { name: 'The secret of Once' });
  const { secret, close: store } = await shownSecret(page);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await mayClose()).toBe(false);
  await page.goBack();
  await dialog.getByText('Leave without having stored it?').waitFor();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect((await shownSecret(page)).secret).toBe(secret);
  await page.goBack();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(/\/webhooks$/);
  await expect.poll(mayClose).toBe(true);

  await page.goForward();
  await choose(page, 'Once', 'New secret');
  await page.getByRole('button', { name: 'Issue a new secret' }).click();
  await dialog.waitFor();
  await store();
  await expect.poll(mayClose).toBe(true);
  await page.goBack();
  await page.waitForURL(/\/webhooks$/);
  await close();
});

test('a person is invited by a link; who would end their own access is told why not', async () => {
  const { page, close } = await opened('people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('User name').fill('not a name');
  await form.getByLabel('Name', { exact: true }).fill('Nora');
  await form.getByText('without spaces').waitFor();
  await form.getByLabel('User name').fill('nora');
  await form.getByRole('button', { name: 'Create invitation' }).click();
  const dialog = page.getByRole('dialog', { name: 'The invitation of Nora' });
  const link = await dialog.getByText(/\/invitation#/).innerText();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Invited', { exact: true }).waitFor();
  const other = await openConsole(browser, service);
  await other.page.goto(link);
  expect(await other.page.locator('input[type="password"]').count()).toBeGreaterThan(0);
  await other.close();

  await choose(page, 'demo', 'Disable');
  await page.getByText('You would lock yourself out').waitFor();
  await page.getByText(/always has an administrator/).waitFor();
  await close();
});

test('a webhook is created and tested: accepted, refused and without an answer', async () => {
  const answers = [204, 500];
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    response.writeHead(answers[received.length - 1] ?? 204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as { port: number };
  const { page, complaints, close } = await opened('webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Address').fill(`http://127.0.0.1:${port}/events`);
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: `http://127.0.0.1:${port}/events` }).waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The receiver accepted the test (204)').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('it answered 500').waitFor();
  expect(received).toHaveLength(2);
  receiver.closeAllConnections();
  receiver.close();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/did not answer the test: ECONN/).waitFor();
  await page.getByText('Nothing was delivered yet').waitFor();
  await choose(page, `http://127.0.0.1:${port}/events`, 'Disable');
  await page.getByText('Paused', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('every faulty line of a file is shown before anything is imported', async () => {
  const { page, close } = await opened('import');
  const csv = 'id,licensePlate,seats\nDE*ABC*M1,HH-IM 1,5\nDE*ABC*M2,HH-IM 2,many\nFR*XYZ*M3,,\n';
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const faults = page.getByRole('table', { name: 'What has to be corrected' });
  await faults.waitFor();
  const rows = faults.locator('tbody tr');
  expect(await rows.count()).toBe(2);
  expect(await rows.nth(0).innerText()).toMatch(
    /3\s+information\.seats\s+information\.seats must be a number\.\s+DE\*ABC\*M2,HH-IM 2,many/,
  );
  expect(await rows.nth(1).innerText()).toMatch(/4\s+asset\.id\s+The vehicle id must begin with/);
  expect((await service.call('GET', '/DE*ABC*M1')).status).toBe(404);
  await page.getByRole('button', { name: 'Import the 1 valid lines' }).click();
  await page.getByText('1 vehicles made, 0 overwritten').waitFor();
  expect((await service.call('GET', '/DE*ABC*M1')).status).toBe(200);
  await close();
});

test('a file that is gone from the disk is told in the place of its lines', async () => {
  const { page, complaints, close } = await opened('import');
  const folder = await mkdtemp(join(tmpdir(), 'motorpool-import-'));
  const path = join(folder, 'fleet.csv');
  const csv = 'id,seats\nDE*ABC*G1,many\n';
  await writeFile(path, csv);
  await page.route('**/imports/vehicles*', async (route) => {
    const response = await route.fetch({ postData: csv });
    await rm(folder, { recursive: true });
    await route.fulfill({ response });
  });
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByRole('table', { name: 'What has to be corrected' }).waitFor();
  await page.getByRole('alert').getByText('The file cannot be read').waitFor();
  await page.getByText('information.seats must be a number.').waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('what existing vehicles lose is shown before anything is imported', async () => {
  const information = { model: 'Up', licensePlate: 'HH-IM 9', trackGeolocation: true };
  await service.call('PUT', '/DE*ABC*M9', { information });
  const { page, close } = await opened('import');
  await page.getByText('An empty cell clears the value of an existing vehicle').waitFor();
  const csv = 'id,model,licensePlate,trackGeolocation\nDE*ABC*M9,,HH-IM 9,false\n';
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const cleared = page.getByRole('table', { name: 'Values that are cleared' });
  await cleared.waitFor();
  const [row, ...others] = await cleared.locator('tbody tr').allInnerTexts();
  expect(row).toMatch(/information\.model\s+1/);
  expect(others).toEqual([]);
  await page.getByText('becomes false for 1 vehicle: all positions').waitFor();
  const stored = async () => (await service.call('GET', '/DE*ABC*M9')).json.information;
  expect(await stored()).toEqual(information);
  await page.getByRole('button', { name: 'Import 1 vehicles' }).click();
  await page.getByText('0 vehicles made, 1 overwritten').waitFor();
  expect(await stored()).toEqual({ licensePlate: 'HH-IM 9', trackGeolocation: false });
  await close();
});

test('a schedule, a checklist and a box are made, changed and removed', async () => {
  const { page, close } = await opened('schedules');
  await page.getByRole('button', { name: 'New schedule' }).click();
  await page.getByLabel('What is to be done').fill('Winter tyres');
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await page.getByText('Give months, kilometres or months of the year.').waitFor();
  await page.getByLabel('Every so many months').fill('6');
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await page.getByRole('cell', { name: 'every 6 months' }).waitFor();
  await choose(page, 'Winter tyres', 'Edit');
  await page.getByLabel('Every so many months').fill('7');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await page.getByRole('cell', { name: 'every 7 months' }).waitFor();

  await page.getByRole('link', { name: 'Checklist templates' }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByLabel('Name').fill('Return');
  await page.getByLabel('Check 1: What is checked').fill('Fuel card');
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.getByRole('cell', { name: /^Return/ }).waitFor();

  await page.getByRole('link', { name: 'Boxes' }).click();
  await page.getByRole('button', { name: 'Register a box' }).click();
  await page.getByLabel('Serial number').fill('BX-1');
  await page.getByRole('combobox', { name: 'Vehicle' }).fill('HH-SE 2');
  await page.getByRole('option', { name: /HH-SE 2/ }).click();
  await page.getByRole('button', { name: 'Register box' }).click();
  await page.getByRole('alert').getByText('It exists already').waitFor();
  await page.getByLabel('Serial number').fill('BX-2');
  await page.getByRole('button', { name: 'Register box' }).click();
  await page.getByRole('cell', { name: 'HH-SE 2', exact: true }).waitFor();
  await close();
});

test('with the only record of the last page, the page is gone', async () => {
  const { json } = await service.call('GET', '/maintenance-schedules');
  const titles = Array.from({ length: 51 - json.items.length }, (_, count) => `Zone ${count}`);
  for (const title of titles)
    await makeRecord(service, 'POST', '/maintenance-schedules', { title, intervalMonths: 12 });
  const { page, close } = await opened('schedules?page=1');
  const row = page.getByRole('button', { name: /^Actions for/ });
  expect(await row.count()).toBe(1);
  await row.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete schedule' }).click();
  await expect.poll(() => row.count()).toBe(50);
  await close();
});

test('the trail tells who changed what, and is filtered by person and record', async () => {
  await service.call('PUT', '/DE*ABC*S1', { information: { licensePlate: 'HH-SE 9' } });
  const { page, close } = await opened('audit?record=DE*ABC*S1&action=changed');
  await page
    .getByRole('button', { name: /^Show what changed/ })
    .first()
    .click();
  const changes = page.getByRole('table');
  expect(await changes.innerText()).toMatch(/licensePlate\s+HH-SE 1\s+HH-SE 9/);
  await page.goto(`${settings}/audit?actor=user:demo`);
  await untilLoaded(page);
  await page.getByText('Signed in', { exact: true }).first().waitFor();
  const actors = await page.locator('main li a[href*="actor="]').allInnerTexts();
  expect(new Set(actors)).toEqual(new Set(['demo']));
  await close();
});

test('unsaved changes of the profile are warned of, and saved ones are kept', async () => {
  const { page, close } = await opened('profile');
  await page.getByLabel('City', { exact: true }).fill('Kiel');
  let question = '';
  page.once('dialog', (dialog) => {
    question = dialog.message();
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect.poll(() => question).toContain('not saved');
  expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('Kiel');
  await page.getByRole('button', { name: 'Save the profile' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await service.call('GET', '/profile')).json.address.city).toBe('Kiel');
  await close();
});

test('the profile is not edited while it is being saved', async () => {
  const { page, close } = await opened('profile');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/profile', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  const city = page.getByLabel('City', { exact: true });
  await city.fill('Jever');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await city.press('Enter');
  await sent;
  await expect.poll(() => city.isEditable()).toBe(false);
  expect(await page.getByRole('combobox', { name: 'Currency' }).isEditable()).toBe(false);
  expect(await page.getByLabel(/^Erase positions together/).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Undo changes' }).isDisabled()).toBe(true);
  release();
  await page.getByText('Saved', { exact: true }).waitFor();
  await expect.poll(() => city.isEditable()).toBe(true);
  expect(await city.inputValue()).toBe('Jever');
  await close();
});

test('days that are out of bounds are told, and the profile is not saved with others', async () => {
  const { page, close } = await opened('profile');
  const days = page.getByLabel('Erase positions after days');
  await days.fill('0');
  await page.getByLabel('City', { exact: true }).fill('Husum');
  await page.getByText('From 1 to 36,500.').waitFor();
  expect(await days.inputValue()).toBe('0');
  const save = page.getByRole('button', { name: 'Save the profile' });
  await save.click();
  await days.and(page.locator(':focus')).waitFor();
  await days.fill('30');
  await save.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const { json } = await service.call('GET', '/profile');
  expect(json).toMatchObject({ positionRetentionDays: 30, address: { city: 'Husum' } });
  await close();
});

test('what is typed into the profile stays while somebody else saves it', async () => {
  const { page, close } = await opened('profile');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('City', { exact: true }).fill('Emden');
  const { json } = await service.call('GET', '/profile');
  const read = page.waitForResponse((response) => response.url().endsWith('/profile'));
  await service.call('PUT', '/profile', { ...json, legalForm: 'AG' });
  await (await read).finished();
  await page.getByRole('button', { name: 'Save the profile' }).click();
  await page.getByText('Somebody else has changed it').waitFor();
  expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('Emden');
  await page.getByRole('button', { name: 'Load it again' }).click();
  await expect.poll(() => page.getByLabel('Legal form').inputValue()).toBe('AG');
  await close();
});

test('a person whose name is changed keeps a role that people are not given here', async () => {
  await addUser(service.db, 'DE-ABC', 'dora', 'eight owls sit on the wall', 'databox', 'Dora');
  const { page, close } = await opened('people');
  await choose(page, 'Dora', 'Edit');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Dora Berg');
  await dialog.getByRole('button', { name: 'Save person' }).click();
  await page.getByText('Dora Berg').first().waitFor();
  const { json } = await service.call('POST', '/administration/users/search', {});
  expect(json.items).toContainEqual(
    expect.objectContaining({ username: 'dora', name: 'Dora Berg', role: 'databox' }),
  );
  await close();
});

test('a viewer sees neither sections of administrators nor buttons that change something', async () => {
  const { page, close } = await opened('schedules', viewer);
  await page.getByRole('cell', { name: /^Annual service/ }).waitFor();
  const links = page.getByRole('navigation', { name: 'Sections of the settings' });
  expect((await links.getByRole('link').allInnerTexts()).map((text) => text.trim())).toEqual([
    'Provider profile',
    'Maintenance schedules',
    'Checklist templates',
    'Boxes',
  ]);
  expect(await page.getByRole('button', { name: 'New schedule' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  await page.goto(`${settings}/clients`);
  await page.getByText('This is for administrators').waitFor();
  await close();
});

const sections = 'profile,schedules,checklists,boxes,import,clients,people,webhooks,audit';
const variants = [
  { name: 'light', colorScheme: 'light' as const },
  { name: 'dark', colorScheme: 'dark' as const },
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'German', locale: 'de-DE', colorScheme: 'dark' as const },
];

test.each(variants)('every section is accessible: $name', async ({ name: _, ...options }) => {
  const { page, violations, outside, complaints, close } = await openConsole(
    browser,
    service,
    options,
  );
  await page.goto(`${settings}/profile`);
  await signIn(page);
  const found: Record<string, string[]> = {};
  for (const section of sections.split(',')) {
    await page.goto(`${settings}/${section}`);
    await untilLoaded(page);
    found[section] = await violations();
    if (options.viewport)
      expect(
        await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
        section,
      ).toBe(false);
  }
  expect(Object.entries(found).filter(([, broken]) => broken.length > 0)).toEqual([]);
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
