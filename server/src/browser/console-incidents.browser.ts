import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { launchChrome } from '../testing/chrome.ts';
import { openSignedIn, untilLoaded } from '../testing/console-page.ts';
import { letter } from '../testing/documents/letter.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

const vehicle = { id: 'DE*ABC*WANTED', plate: 'HH-WA 8294' };
const viewer = { username: 'reader', password: 'a long password of the reader' };
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let service: TestService;
let browser: Browser;
let fleet: string;
beforeAll(async () => {
  service = await startTestService();
  fleet = `${service.url}/console/DE-ABC`;
  await makeFleet(service.db, 'DE', 'ABC', 5, { hasImages: false });
  await service.call('PUT', `/${vehicle.id}`, {
    information: { licensePlate: vehicle.plate, vendor: 'VW', model: 'Golf' },
  });
  await addUser(service.db, 'DE-ABC', viewer.username, viewer.password, 'viewer');
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const damage = {
  title: 'Mirror torn off',
  damageType: 'broken part',
  severity: 'high',
  repaired: false,
  position: 'right_side_mirror_upper',
};

async function report(rest: object = {}): Promise<{ id: string; path: string; api: string }> {
  const request = { title: 'Scraped a bollard', vehicleOperable: true, isResolved: false, ...rest };
  const { json } = await service.call('POST', `/${vehicle.id}/incidents`, request);
  const path = `/incidents/${vehicle.id}/${json.id}`;
  return { id: json.id, path, api: `/${vehicle.id}/incidents/${json.id}` };
}

async function upload(incidentId: string, filename: string, body: Buffer): Promise<void> {
  const files = `/${vehicle.id}/blobs/incidents/${incidentId}`;
  const { json } = await service.call('POST', files, { filename });
  const { status } = await service.send({
    method: 'PUT',
    path: `/api/fleets/v1/DE/ABC${files}/${json.uuid}`,
    headers: { authorization: `Bearer ${await service.token()}` },
    body,
  });
  expect(status).toBe(200);
}

const signedIn = (
  path: string,
  options?: Parameters<typeof openSignedIn>[3],
  user?: Parameters<typeof openSignedIn>[4],
) => openSignedIn(browser, service, path, options, user);

const areaOf = (page: Page, position: string) =>
  page.locator(`.damage-atlas [data-position="${position}"]`);

const damagesOf = (page: Page) => page.getByRole('list', { name: 'Damages' });

test('a damage is added on the atlas by mouse, marked repaired, and deleted after a question', async () => {
  const { path, api } = await report();
  const { page, complaints, close } = await signedIn(path);
  await areaOf(page, 'front_license_plate_area').click();
  const form = page.getByRole('form', { name: 'New damage' });
  await form.getByRole('combobox', { name: 'What is it?' }).fill('Dent');
  await page.keyboard.press('Escape');
  await form.getByText('Moderate').click();
  await form.getByRole('button', { name: 'Add damage' }).click();
  await damagesOf(page).getByRole('button', { name: /Dent/ }).first().waitFor();
  await expect
    .poll(async () => (await service.call('GET', api)).json.damages)
    .toEqual([
      {
        title: expect.stringMatching(/^Dent, /),
        damageType: 'dent',
        severity: 'moderate',
        repaired: false,
        position: 'front_license_plate_area',
      },
    ]);

  await page.getByRole('button', { name: /^Mark repaired: / }).click();
  await page.getByRole('button', { name: /^Not repaired after all: / }).waitFor();
  await expect
    .poll(async () => (await service.call('GET', api)).json.damages[0].repaired)
    .toBe(true);

  await page.getByRole('button', { name: /^Delete .*, Dent$/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete damage' }).click();
  await expect.poll(async () => (await service.call('GET', api)).json.damages).toBeUndefined();
  expect(complaints).toEqual([]);
  await close();
});

test('a damage is added on the atlas by keyboard alone, and the focus returns to its area', async () => {
  const { path, api } = await report();
  const { page, complaints, close } = await signedIn(path);
  await page.getByRole('button', { name: 'Add damage' }).focus();
  await page.keyboard.press('Tab');
  const focused = () =>
    page.evaluate<string | undefined>('document.activeElement.dataset.position');
  const first = await focused();
  expect(first).toBeDefined();
  await page.keyboard.press('ArrowRight');
  const position = await focused();
  expect(position).not.toBe(first);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Scratch');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await service.call('GET', api)).json.damages?.[0])
    .toMatchObject({ damageType: 'scratch', severity: 'light', position });
  await expect.poll(focused).toBe(position);
  expect(complaints).toEqual([]);
  await close();
});

test('a PDF that cannot be read is a file like others, and what is being entered beside it stays', async () => {
  const { path } = await report();
  const { page, close } = await signedIn(path);
  await page.getByRole('button', { name: 'Add damage' }).click();
  const title = page.getByRole('form', { name: 'New damage' }).getByLabel('In a few words');
  await title.fill('Mirror gone');
  const mimeType = 'application/pdf';
  for (const [name, buffer] of [
    ['cut-short.pdf', Buffer.from('%PDF-1.7\nthis was cut short')],
    ['whole.pdf', await letter([['Hit a wall']])],
  ] as const)
    await page.locator('input[type="file"]').setInputFiles([{ name, mimeType, buffer }]);
  await page.getByRole('button', { name: 'Show whole.pdf' }).waitFor();
  await page.getByRole('button', { name: 'Save cut-short.pdf' }).waitFor();
  expect(await title.inputValue()).toBe('Mirror gone');
  await close();
});

test('photos are uploaded by button and by drop with their progress, shown, and deleted after a question', async () => {
  const { path, api } = await report();
  const { page, complaints, close } = await signedIn(path);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 500_000 };
  await network.send('Network.emulateNetworkConditions', slow);
  const video = { name: 'round.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(1_500_000) };
  await page.locator('input[type="file"]').setInputFiles([video]);
  await page.locator('[role="progressbar"]:not([aria-valuenow="0"])').waitFor();
  await page.getByRole('button', { name: 'Cancel the upload of round.mp4' }).click();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });

  const file = { name: 'door.png', mimeType: 'image/png', buffer: onePixel };
  await page.locator('input[type="file"]').setInputFiles([file]);
  await page.getByRole('button', { name: 'Show door.png' }).waitFor();

  const dropped = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File(['Hit a wall'], 'note.txt', { type: 'text/plain' })); return data; })()`,
  );
  const zone = page.getByText('Drop photos and documents here, or');
  await zone.dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByRole('button', { name: 'Save note.txt' }).waitFor();
  const { json } = await service.call('GET', api);
  expect(json.blobs).toMatchObject([
    { filename: 'door.png', uploaded: true },
    { filename: 'note.txt', uploaded: true },
  ]);

  await page.getByRole('button', { name: 'Show door.png' }).click();
  await page.getByRole('dialog').getByRole('img', { name: 'door.png' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove door.png' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete file' }).click();
  await expect.poll(async () => (await service.call('GET', api)).json.blobs.length).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});

test('a file that somebody else uploads appears by itself', async () => {
  const { id, path } = await report();
  const { page, close } = await signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  await upload(id, 'note.txt', Buffer.from('Hit a wall'));
  await page.getByRole('button', { name: 'Save note.txt' }).waitFor();
  await close();
});

test('who saves second sees both versions, and chooses for each field', async () => {
  const { path, api } = await report({ notes: 'A quote is awaited' });
  const { page, close } = await signedIn(`${path}/edit`);
  await page.getByLabel('Place').fill('Torstraße 1, Berlin');
  await page.getByLabel('Notes').fill('My notes');
  await service.call('PUT', api, {
    title: 'Scraped a concrete bollard',
    vehicleOperable: true,
    isResolved: false,
    notes: 'Their notes',
  });
  await page.getByRole('button', { name: 'Save incident' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else saved first' });
  await dialog.waitFor();
  const choice = (field: string) => dialog.getByRole('radiogroup', { name: field });
  const save = dialog.getByRole('button', { name: 'Save this choice' });
  // What one side alone has changed is chosen; what both have is not.
  expect(await save.isDisabled()).toBe(true);
  await choice('Notes').getByText('My notes').click();
  await save.click();
  await page.waitForURL(`**${path}`);
  expect((await service.call('GET', api)).json).toMatchObject({
    title: 'Scraped a concrete bollard',
    location: 'Torstraße 1, Berlin',
    notes: 'My notes',
  });
  await close();
});

const threeDamages = ['antenna', 'front_license_plate_area', 'right_side_mirror_upper'].map(
  (position, index) => ({ ...damage, position, title: `Damage ${index}`, severity: 'light' }),
);

/** Somebody else saves, and the page has read it. */
async function saveMeanwhile(page: Page, api: string, damages: object[]): Promise<void> {
  const read = page.waitForResponse(
    (response) =>
      response.request().method() === 'GET' && decodeURIComponent(response.url()).endsWith(api),
  );
  const { title, vehicleOperable, isResolved } = (await service.call('GET', api)).json;
  await service.call('PUT', api, { title, vehicleOperable, isResolved, damages });
  await (await read).finished();
}

test('a damage is changed in the version in which it was opened, and the other version is shown', async () => {
  const { path, api } = await report({ damages: threeDamages });
  const { page, close } = await signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  await damagesOf(page).getByText('Damage 1').click();
  const form = page.getByRole('form', { name: 'Change damage' });
  await form.getByText('High').click();
  const theirs = threeDamages.slice(1);
  await saveMeanwhile(page, api, theirs);
  await form.getByRole('button', { name: 'Save damage' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else saved first' });
  await dialog.waitFor();
  expect((await service.call('GET', api)).json.damages).toEqual(theirs);
  await dialog.getByText('Damage 0').click();
  await dialog.getByRole('button', { name: 'Save this choice' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect((await service.call('GET', api)).json.damages).toEqual(
    threeDamages.map((one, index) => (index === 1 ? { ...one, severity: 'high' } : one)),
  );
  await close();
});

test('the damage that a question names is the one that is deleted, and no other', async () => {
  const { path, api } = await report({ damages: threeDamages });
  const { page, close } = await signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Delete .*plate/i }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText(/Damage 1/).waitFor();
  const theirs = threeDamages.slice(1);
  await saveMeanwhile(page, api, theirs);
  expect(await question.getByText(/Damage 1/).count()).toBe(1);
  await question.getByRole('button', { name: 'Delete damage' }).click();
  await page.getByRole('dialog', { name: 'Somebody else saved first' }).waitFor();
  expect((await service.call('GET', api)).json.damages).toEqual(theirs);
  await close();
});

test('what somebody saves themselves while a damage is open is no conflict', async () => {
  const { path, api } = await report({ damages: threeDamages.slice(0, 1) });
  const { page, close } = await signedIn(path);
  await damagesOf(page).getByText('Damage 0').click();
  const form = page.getByRole('form', { name: 'Change damage' });
  await page.getByRole('button', { name: 'Mark resolved' }).click();
  await page.getByRole('button', { name: 'Open again' }).waitFor();
  await form.getByText('High').click();
  await form.getByRole('button', { name: 'Save damage' }).click();
  await expect
    .poll(async () => (await service.call('GET', api)).json)
    .toMatchObject({ isResolved: true, damages: [{ severity: 'high' }] });
  await close();
});

test('an incident is deleted in the version that the question names', async () => {
  const { path, api } = await report({ damages: threeDamages.slice(1) });
  const { page, close } = await signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  const ask = page.getByRole('button', { name: 'Delete', exact: true });
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Delete incident' });
  await ask.click();
  await saveMeanwhile(page, api, threeDamages);
  await confirm.click();
  await question.getByText(/Somebody else has changed it/).waitFor();
  expect((await service.call('GET', api)).status).toBe(200);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await ask.click();
  await confirm.click();
  await expect.poll(async () => (await service.call('GET', api)).status).toBe(404);
  await close();
});

test('a form that is open stays with its incident', async () => {
  const here = await report({ title: 'Scraped here', damages: [damage] });
  const there = await report({ title: 'Scraped there', damages: [damage] });
  const { page, close } = await signedIn(there.path);
  const follow = async () => {
    await page.locator(`[role="note"] a[href$="${here.id}"]`).click();
    await page.getByRole('heading', { level: 1, name: 'Scraped here' }).waitFor();
  };
  // The second time, it is shown without being loaded.
  await follow();
  await page.goBack();
  await damagesOf(page).getByText(damage.title).click();
  await page.getByRole('form', { name: 'Change damage' }).waitFor();
  await follow();
  expect(await page.getByRole('form', { name: 'Change damage' }).count()).toBe(0);
  await close();
});

test('a damage that was begun is not forgotten without a question', async () => {
  const { path } = await report({ damages: [damage] });
  const { page, close } = await signedIn(path);
  await damagesOf(page).getByText(damage.title).click();
  const form = page.getByRole('form', { name: 'Change damage' });
  const title = form.getByLabel('In a few words');
  await title.fill('Mirror gone');
  await page.keyboard.press('Escape');
  await form.getByText('Discard what you have entered?').waitFor();
  await form.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Add damage' }).first().click();
  await form.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('link', { name: 'Vehicles' }).first().click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await title.inputValue()).toBe('Mirror gone');
  await title.press('Escape');
  await form.getByRole('button', { name: 'Discard' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Vehicles' }).first().click();
  await page.waitForURL('**/vehicles');
  await close();
});

/** No write of an incident reaches the service until `restore`. */
async function breakWrites(page: Page): Promise<{ restore(): Promise<void> }> {
  const path = '**/incidents/*';
  await page.route(path, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  return { restore: () => page.unroute(path) };
}

const unreachable = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'The service does not answer' });

test('a damage stays in its form until it is saved, and is saved once', async () => {
  const { path, api } = await report();
  const { page, close } = await signedIn(path);
  await areaOf(page, 'antenna').click();
  const form = page.getByRole('form', { name: 'New damage' });
  const title = form.getByLabel('In a few words');
  await form.getByRole('combobox', { name: 'What is it?' }).fill('Dent');
  await title.fill('Hit by a branch');
  const { restore } = await breakWrites(page);
  await title.press('Enter');
  await unreachable(page).waitFor();
  expect(await title.inputValue()).toBe('Hit by a branch');
  await expect.poll(() => damagesOf(page).getByRole('listitem').count()).toBe(0);
  await restore();

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let writes = 0;
  await page.route('**/incidents/*', async (route) => {
    if (route.request().method() === 'PUT') {
      writes++;
      await held;
    }
    await route.continue();
  });
  await title.press('Enter');
  await form.locator('[type="submit"][data-loading]').waitFor();
  await title.press('Enter');
  await title.press('Escape');
  expect(await form.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  expect(await title.inputValue()).toBe('Hit by a branch');
  release();
  await form.waitFor({ state: 'detached' });
  expect(writes).toBe(1);
  expect((await service.call('GET', api)).json.damages).toMatchObject([
    { title: 'Hit by a branch', damageType: 'dent', position: 'antenna' },
  ]);
  await close();
});

test.each([
  { choice: 'Keep all of mine', confirm: 'Save this choice', isMine: true },
  { choice: 'Take all of theirs', confirm: 'Take theirs', isMine: false },
])(
  'a damage in conflict stays in its form until somebody decides: $choice',
  async ({ choice, confirm, isMine }) => {
    const { path, api } = await report({ damages: threeDamages });
    const { page, close } = await signedIn(path);
    await page.getByText('Live', { exact: true }).waitFor();
    await damagesOf(page).getByText('Damage 1').click();
    const form = page.getByRole('form', { name: 'Change damage' });
    const title = form.getByLabel('In a few words');
    await title.fill('Plate bent');
    const theirs = threeDamages.slice(1);
    await saveMeanwhile(page, api, theirs);
    await title.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Somebody else saved first' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await title.inputValue()).toBe('Plate bent');
    await title.press('Enter');
    await dialog.getByRole('button', { name: choice }).click();
    await dialog.getByRole('button', { name: confirm }).click();
    await form.waitFor({ state: 'detached' });
    const mine = threeDamages.map((one, index) =>
      index === 1 ? { ...one, title: 'Plate bent' } : one,
    );
    expect((await service.call('GET', api)).json.damages).toEqual(isMine ? mine : theirs);
    await close();
  },
);

test('a damage that is being changed stays open while another is deleted', async () => {
  const { path, api } = await report({ damages: threeDamages });
  const { page, close } = await signedIn(path);
  await damagesOf(page).getByText('Damage 2').click();
  const form = page.getByRole('form', { name: 'Change damage' });
  const title = form.getByLabel('In a few words');
  await title.fill('Mirror gone');
  const deleteDamage = async (name: RegExp) => {
    await page.getByRole('button', { name }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete damage' }).click();
  };
  const { restore } = await breakWrites(page);
  await deleteDamage(/^Delete Aerial/);
  await unreachable(page).waitFor();
  await expect.poll(() => damagesOf(page).getByRole('listitem').count()).toBe(3);
  expect(await title.inputValue()).toBe('Mirror gone');
  await restore();

  await deleteDamage(/^Delete Aerial/);
  await expect
    .poll(async () => (await service.call('GET', api)).json.damages)
    .toEqual(threeDamages.slice(1));
  // While the deletion is being answered, nothing else is sent.
  await expect
    .poll(async () => {
      if (await form.isVisible()) await title.press('Enter', { timeout: 1_000 }).catch(() => {});
      return form.isVisible();
    })
    .toBe(false);
  const [, kept, changed] = threeDamages;
  expect((await service.call('GET', api)).json.damages).toEqual([
    kept,
    { ...changed, title: 'Mirror gone' },
  ]);

  await damagesOf(page).getByText('Mirror gone').click();
  await deleteDamage(/^Delete .*mirror/i);
  await form.waitFor({ state: 'detached' });
  await expect.poll(async () => (await service.call('GET', api)).json.damages).toEqual([kept]);
  await close();
});

test('a form that cannot be sent leads to its first mistake', async () => {
  const { page, close } = await signedIn(`/incidents/new?vehicle=${vehicle.id}`, {
    viewport: { width: 390, height: 600 },
  });
  const title = page.getByRole('textbox', { name: 'Title' });
  const send = page.getByRole('button', { name: 'Report incident' });
  await send.scrollIntoViewIfNeeded();
  await send.click();
  await title.and(page.locator(':focus')).waitFor();
  const { y = 0 } = (await title.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(600);
  await close();
});

test('a date without its time is asked for, where it was saved as none', async () => {
  const incidentTimestamp = '2026-03-01T10:30:12.000Z';
  const { path, api } = await report({ incidentTimestamp });
  const { page, complaints, close } = await signedIn(`${path}/edit`, { timezoneId: 'UTC' });
  const field = page.getByLabel('Happened', { exact: true });
  const save = page.getByRole('button', { name: 'Save incident' });
  const message = page.getByText('Enter both date and time');
  await field.focus();
  // Behind day, month and year.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Delete'])
    await page.keyboard.press(key);
  expect(await field.inputValue()).toBe('');
  await page.keyboard.press('Enter');
  await message.waitFor();
  await save.click();
  await field.and(page.locator(':focus')).waitFor();
  expect((await service.call('GET', api)).json.incidentTimestamp).toBe(incidentTimestamp);

  await field.fill('2026-03-01T11:45');
  await expect.poll(() => message.count()).toBe(0);
  await save.click();
  await page.waitForURL(`**${path}`);
  expect((await service.call('GET', api)).json.incidentTimestamp).toBe('2026-03-01T11:45:00.000Z');
  expect(complaints).toEqual([]);
  await close();
});

test('an incident is reported with a damage and a photo for a vehicle that is found by half its plate, and a mistake is named', async () => {
  const { page, complaints, close } = await signedIn('/incidents/new');
  await page.getByLabel('Title').focus();
  await page.keyboard.press('Tab');
  await page.getByText('An incident needs a title.').waitFor();
  await page.getByLabel('Title').fill('Hail in the yard');
  expect(await page.getByText('An incident needs a title.').count()).toBe(0);

  await page.getByRole('link', { name: 'Vehicles' }).first().click();
  const question = page.getByRole('alertdialog');
  await question.getByText('Leave without saving?').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Title').inputValue()).toBe('Hail in the yard');

  await page.getByRole('combobox', { name: 'Vehicle' }).fill('wa8294');
  await page.getByRole('option', { name: new RegExp(vehicle.plate) }).click();
  await areaOf(page, 'antenna').click();
  await page.getByRole('combobox', { name: 'What is it?' }).fill('Dent');
  const send = page.getByRole('button', { name: 'Report incident' });
  await send.click();
  await page.getByRole('alert').getByText('Add the damage that you have begun').waitFor();
  const form = page.getByRole('form', { name: 'New damage' });
  await form.getByRole('button', { name: 'Add damage' }).click();
  await damagesOf(page).getByText('Aerial', { exact: true }).waitFor();
  await page
    .locator('input[type="file"]')
    .setInputFiles(
      ['roof.png', 'wrong.png'].map((name) => ({ name, mimeType: 'image/png', buffer: onePixel })),
    );
  await page.getByRole('button', { name: 'Remove wrong.png' }).click();
  await send.click();
  await page.getByRole('heading', { level: 1, name: 'Hail in the yard' }).waitFor();
  const [, vehicleId, incidentId] = /incidents\/(.+)\/(.+)$/.exec(page.url()) ?? [];
  const { json } = await service.call('GET', `/${vehicleId}/incidents/${incidentId}`);
  expect(json.damages).toMatchObject([{ position: 'antenna', damageType: 'dent' }]);
  expect(json.blobs).toMatchObject([{ filename: 'roof.png', uploaded: true }]);
  await page.getByRole('button', { name: 'Show roof.png' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a suggestion is taken beside the document that it comes from', async () => {
  const { id, path, api } = await report();
  await upload(id, 'letter.pdf', await letter([['Cause: turned in too tightly']]));
  await service.runJobs();
  const { page, complaints, close } = await signedIn(path);
  const document = page.getByRole('region', { name: 'letter.pdf', exact: true });
  await document
    .getByText(/turned in too tightly/)
    .first()
    .waitFor();
  await document.getByRole('button', { name: 'Take: Cause' }).click();
  await document.getByText('Taken').waitFor();
  expect((await service.call('GET', api)).json.cause).toContain('turned in too tightly');
  expect(complaints).toEqual([]);
  await close();
});

test('the list is found by half a plate, filtered, and opened; a viewer changes nothing', async () => {
  await report({ title: 'Must be towed', vehicleOperable: false, damages: [damage] });
  const { page, complaints, close } = await signedIn('/incidents', {}, viewer);
  await page.getByRole('searchbox').fill('wa8294');
  await page.getByText('Must not drive', { exact: true }).first().click();
  await page.getByText('1 incident', { exact: true }).waitFor();
  expect(page.url()).toContain('vehicleOperable');
  expect(await page.getByRole('link', { name: 'Report incident' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Must be towed' }).click();
  await page.getByRole('heading', { level: 1, name: 'Must be towed' }).waitFor();
  for (const name of ['Edit', 'Delete', 'Add damage', 'Mark resolved', 'Choose files'])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
  await areaOf(page, damage.position).click();
  expect(await page.getByRole('form').count()).toBe(0);
  expect(await damagesOf(page).getByRole('button').count()).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});

test('the page of a vehicle has all its open damages on one drawing, which leads to their incidents', async () => {
  await report({ title: 'Lost its mirror', damages: [{ ...damage, position: 'antenna' }] });
  const { page, close } = await signedIn(`/vehicles/${vehicle.id}/incidents`);
  await areaOf(page, 'antenna').click();
  await page.getByRole('heading', { level: 1, name: 'Lost its mirror' }).waitFor();
  await close();
});

const variants = [
  { name: 'light', colorScheme: 'light' as const },
  { name: 'dark', colorScheme: 'dark' as const },
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'German', locale: 'de-DE' },
];

test.each(variants)(
  'every page of incidents is accessible: $name',
  async ({ name, ...options }) => {
    const { path } = await report({ damages: [damage], description: 'At low speed.' });
    const { page, violations, complaints, close } = await signedIn('/incidents', options);
    const found: Record<string, string[]> = {};
    const pages = [
      '/incidents',
      '/incidents?q=nothing',
      '/incidents/new',
      path,
      `${path}/edit`,
      `/vehicles/${vehicle.id}/incidents`,
    ];
    for (const one of pages) {
      await page.goto(fleet + one);
      await untilLoaded(page);
      found[one] = await violations();
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(isWide, one).toBe(false);
    }
    await page.goto(fleet + path);
    await untilLoaded(page);
    await page.locator('[class*="damageMain"]').click();
    found.form = await violations();
    if (options.locale) await page.getByRole('form', { name: 'Schaden ändern' }).waitFor();
    expect(Object.entries(found).filter(([, broken]) => broken.length > 0)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
);
