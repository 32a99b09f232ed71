import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePixel } from '../testing/images.ts';
import {
  areaOf,
  damagesOf,
  type IncidentPages,
  startIncidentPages,
  vehicle,
} from '../testing/incident-pages.ts';

/** How an incident is reported, and its report changed. */

let incidents: IncidentPages;
beforeAll(async () => {
  incidents = await startIncidentPages();
});
afterAll(() => incidents?.stop());

test('a form that cannot be sent leads to its first mistake', async () => {
  const { page, close } = await incidents.signedIn(`/incidents/new?vehicle=${vehicle.id}`, {
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
  const { path, api } = await incidents.report({ incidentTimestamp });
  const { page, complaints, close } = await incidents.signedIn(`${path}/edit`, {
    timezoneId: 'UTC',
  });
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
  expect((await incidents.service.call('GET', api)).json.incidentTimestamp).toBe(incidentTimestamp);

  await field.fill('2026-03-01T11:45');
  await expect.poll(() => message.count()).toBe(0);
  await save.click();
  await page.waitForURL(`**${path}`);
  expect((await incidents.service.call('GET', api)).json.incidentTimestamp).toBe(
    '2026-03-01T11:45:00.000Z',
  );
  expect(complaints).toEqual([]);
  await close();
});

test('an incident is reported with a damage and a photo for a vehicle that is found by half its plate, and a mistake is named', async () => {
  const { page, complaints, close } = await incidents.signedIn('/incidents/new');
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
  const { json } = await incidents.service.call('GET', `/${vehicleId}/incidents/${incidentId}`);
  expect(json.damages).toMatchObject([{ position: 'antenna', damageType: 'dent' }]);
  expect(json.blobs).toMatchObject([{ filename: 'roof.png', uploaded: true }]);
  await page.getByRole('button', { name: 'Show roof.png' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
