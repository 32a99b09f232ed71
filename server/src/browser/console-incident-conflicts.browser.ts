import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  damagesOf,
  type IncidentPages,
  startIncidentPages,
  threeDamages,
} from '../testing/incident-pages.ts';

/** What becomes of changes to an incident that somebody else has changed meanwhile. */

let incidents: IncidentPages;
beforeAll(async () => {
  incidents = await startIncidentPages();
});
afterAll(() => incidents?.stop());

/** Somebody else saves, and the page has read it. */
async function saveMeanwhile(page: Page, api: string, damages: object[]): Promise<void> {
  const read = page.waitForResponse(
    (response) =>
      response.request().method() === 'GET' && decodeURIComponent(response.url()).endsWith(api),
  );
  const { title, vehicleOperable, isResolved } = (await incidents.service.call('GET', api)).json;
  await incidents.service.call('PUT', api, { title, vehicleOperable, isResolved, damages });
  await (await read).finished();
}

test('who saves second sees both versions, and chooses for each field', async () => {
  const { path, api } = await incidents.report({ notes: 'A quote is awaited' });
  const { page, close } = await incidents.signedIn(`${path}/edit`);
  await page.getByLabel('Place').fill('Torstraße 1, Berlin');
  await page.getByLabel('Notes').fill('My notes');
  await incidents.service.call('PUT', api, {
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
  expect((await incidents.service.call('GET', api)).json).toMatchObject({
    title: 'Scraped a concrete bollard',
    location: 'Torstraße 1, Berlin',
    notes: 'My notes',
  });
  await close();
});

test('a damage is changed in the version in which it was opened, and the other version is shown', async () => {
  const { path, api } = await incidents.report({ damages: threeDamages });
  const { page, close } = await incidents.signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  await damagesOf(page).getByText('Damage 1').click();
  const form = page.getByRole('form', { name: 'Change damage' });
  await form.getByText('High').click();
  const theirs = threeDamages.slice(1);
  await saveMeanwhile(page, api, theirs);
  await form.getByRole('button', { name: 'Save damage' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else saved first' });
  await dialog.waitFor();
  expect((await incidents.service.call('GET', api)).json.damages).toEqual(theirs);
  await dialog.getByText('Damage 0').click();
  await dialog.getByRole('button', { name: 'Save this choice' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect
    .poll(async () => (await incidents.service.call('GET', api)).json.damages)
    .toEqual(threeDamages.map((one, index) => (index === 1 ? { ...one, severity: 'high' } : one)));
  await close();
});

test('the damage that a question names is the one that is deleted, and no other', async () => {
  const { path, api } = await incidents.report({ damages: threeDamages });
  const { page, close } = await incidents.signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Delete .*plate/i }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText(/Damage 1/).waitFor();
  const theirs = threeDamages.slice(1);
  await saveMeanwhile(page, api, theirs);
  expect(await question.getByText(/Damage 1/).count()).toBe(1);
  await question.getByRole('button', { name: 'Delete damage' }).click();
  await page.getByRole('dialog', { name: 'Somebody else saved first' }).waitFor();
  expect((await incidents.service.call('GET', api)).json.damages).toEqual(theirs);
  await close();
});

test('what somebody saves themselves while a damage is open is no conflict', async () => {
  const { path, api } = await incidents.report({ damages: threeDamages.slice(0, 1) });
  const { page, close } = await incidents.signedIn(path);
  await damagesOf(page).getByText('Damage 0').click();
  const form = page.getByRole('form', { name: 'Change damage' });
  await page.getByRole('button', { name: 'Mark resolved' }).click();
  await page.getByRole('button', { name: 'Open again' }).waitFor();
  await form.getByText('High').click();
  await form.getByRole('button', { name: 'Save damage' }).click();
  await expect
    .poll(async () => (await incidents.service.call('GET', api)).json)
    .toMatchObject({ isResolved: true, damages: [{ severity: 'high' }] });
  await close();
});

test('an incident is deleted in the version that the question names', async () => {
  const { path, api } = await incidents.report({ damages: threeDamages.slice(1) });
  const { page, close } = await incidents.signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  const ask = page.getByRole('button', { name: 'Delete', exact: true });
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Delete incident' });
  await ask.click();
  await saveMeanwhile(page, api, threeDamages);
  await confirm.click();
  await question.getByText(/Somebody else has changed it/).waitFor();
  expect((await incidents.service.call('GET', api)).status).toBe(200);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await ask.click();
  await confirm.click();
  await expect.poll(async () => (await incidents.service.call('GET', api)).status).toBe(404);
  await close();
});

test.each([
  { choice: 'Keep all of mine', confirm: 'Save this choice', isMine: true },
  { choice: 'Take all of theirs', confirm: 'Take theirs', isMine: false },
])(
  'a damage in conflict stays in its form until somebody decides: $choice',
  async ({ choice, confirm, isMine }) => {
    const { path, api } = await incidents.report({ damages: threeDamages });
    const { page, close } = await incidents.signedIn(path);
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
    expect((await incidents.service.call('GET', api)).json.damages).toEqual(isMine ? mine : theirs);
    await close();
  },
);
