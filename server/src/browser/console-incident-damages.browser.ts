import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  areaOf,
  damage,
  damagesOf,
  type IncidentPages,
  startIncidentPages,
  threeDamages,
} from '../testing/incident-pages.ts';

/** What people do with the damages of an incident. */

let incidents: IncidentPages;
beforeAll(async () => {
  incidents = await startIncidentPages();
});
afterAll(() => incidents?.stop());

test('a damage is added on the atlas by mouse, marked repaired, and deleted after a question', async () => {
  const { path, api } = await incidents.report();
  const { page, complaints, close } = await incidents.signedIn(path);
  await areaOf(page, 'front_license_plate_area').click();
  const form = page.getByRole('form', { name: 'New damage' });
  await form.getByRole('combobox', { name: 'What is it?' }).fill('Dent');
  await page.keyboard.press('Escape');
  await form.getByText('Moderate').click();
  await form.getByRole('button', { name: 'Add damage' }).click();
  await damagesOf(page).getByRole('button', { name: /Dent/ }).first().waitFor();
  await expect
    .poll(async () => (await incidents.service.call('GET', api)).json.damages)
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
    .poll(async () => (await incidents.service.call('GET', api)).json.damages[0].repaired)
    .toBe(true);

  await page.getByRole('button', { name: /^Delete .*, Dent$/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete damage' }).click();
  await expect
    .poll(async () => (await incidents.service.call('GET', api)).json.damages)
    .toBeUndefined();
  expect(complaints).toEqual([]);
  await close();
});

test('a damage is added on the atlas by keyboard alone, and the focus returns to its area', async () => {
  const { path, api } = await incidents.report();
  const { page, complaints, close } = await incidents.signedIn(path);
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
    .poll(async () => (await incidents.service.call('GET', api)).json.damages?.[0])
    .toMatchObject({ damageType: 'scratch', severity: 'light', position });
  await expect.poll(focused).toBe(position);
  expect(complaints).toEqual([]);
  await close();
});

test('a form that is open stays with its incident', async () => {
  const here = await incidents.report({ title: 'Scraped here', damages: [damage] });
  const there = await incidents.report({ title: 'Scraped there', damages: [damage] });
  const { page, close } = await incidents.signedIn(there.path);
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
  const { path } = await incidents.report({ damages: [damage] });
  const { page, close } = await incidents.signedIn(path);
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
  const { path, api } = await incidents.report();
  const { page, close } = await incidents.signedIn(path);
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
  expect((await incidents.service.call('GET', api)).json.damages).toMatchObject([
    { title: 'Hit by a branch', damageType: 'dent', position: 'antenna' },
  ]);
  await close();
});

test('a damage that is being changed stays open while another is deleted', async () => {
  const { path, api } = await incidents.report({ damages: threeDamages });
  const { page, close } = await incidents.signedIn(path);
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
    .poll(async () => (await incidents.service.call('GET', api)).json.damages)
    .toEqual(threeDamages.slice(1));
  // While the deletion is being answered, nothing else is sent.
  await expect
    .poll(async () => {
      if (await form.isVisible()) await title.press('Enter', { timeout: 1_000 }).catch(() => {});
      return form.isVisible();
    })
    .toBe(false);
  const [, kept, changed] = threeDamages;
  expect((await incidents.service.call('GET', api)).json.damages).toEqual([
    kept,
    { ...changed, title: 'Mirror gone' },
  ]);

  await damagesOf(page).getByText('Mirror gone').click();
  await deleteDamage(/^Delete .*mirror/i);
  await form.waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await incidents.service.call('GET', api)).json.damages)
    .toEqual([kept]);
  await close();
});
