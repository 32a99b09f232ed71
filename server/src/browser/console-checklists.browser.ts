import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChrome } from '../testing/chrome.ts';
import { openSignedIn } from '../testing/console-page.ts';
import { makeRecord } from '../testing/make-record.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** What people do with checklists. */

const car = { id: 'DE*ABC*CHECKS', plate: 'HH-MP 1001' };

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startTestService();
  await made('PUT', `/${car.id}`, { information: { licensePlate: car.plate } });
  await made('POST', '/checklist-templates', {
    name: 'Handover',
    entries: [
      { title: 'All lights work', type: 'check', required: true },
      { title: 'Tread depth', type: 'number', required: false },
    ],
  });
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const signedIn = (path: string) => openSignedIn(browser, service, path);
const made = (method: string, path: string, body: object) =>
  makeRecord(service, method, path, body);

test('a template is applied and its entries are ticked', async () => {
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/checklist`);
  await page.getByRole('button', { name: 'Apply a template' }).click();
  await page.getByRole('menuitem', { name: /Handover/ }).click();
  await page.getByText('0 of 2 done').waitFor();
  await page.getByRole('checkbox', { name: 'All lights work' }).click();
  await page.getByText('1 of 2 done').waitFor();
  await page.getByRole('textbox', { name: 'Tread depth' }).fill('6.5');
  await page.keyboard.press('Tab');
  await page.getByText('2 of 2 done').waitFor();
  await expect
    .poll(async () => {
      const { json } = await service.call('GET', `/${car.id}/checklist`);
      return json.items.map(({ value }: { value: unknown }) => value);
    })
    .toEqual([true, 6.5]);
  expect(complaints).toEqual([]);
  await close();
});

test('a field of a checklist that is passed shows what somebody else has answered, and keeps it', async () => {
  const { id } = await made('POST', `/${car.id}/checklist`, {
    title: 'Pressure',
    type: 'number',
    required: false,
  });
  const api = `/${car.id}/checklist/${id}`;
  const answer = async (value: number) => {
    const { json } = await service.call('GET', api);
    const performedAt = new Date().toISOString();
    await made('PUT', api, { ...json, value, result: 'pass', performedAt });
  };
  const { page, close } = await signedIn(`/vehicles/${car.id}/checklist`);
  await page.getByText('Live', { exact: true }).waitFor();
  const field = page.getByRole('textbox', { name: 'Pressure' });
  await field.focus();
  await answer(2.5);
  await expect.poll(() => field.inputValue()).toBe('2.5');
  await page.keyboard.press('Tab');
  expect((await service.call('GET', api)).json.value).toBe(2.5);

  await field.fill('3');
  const read = page.waitForResponse((response) => response.url().endsWith('/checklist/search'));
  await answer(2.6);
  await (await read).finished();
  expect(await field.inputValue()).toBe('3');
  await page.keyboard.press('Tab');
  await page.getByText('Somebody else has changed it').waitFor();
  await expect.poll(() => field.inputValue()).toBe('2.6');
  expect((await service.call('GET', api)).json.value).toBe(2.6);
  await close();
});

test('answers to several fields of an entry follow each other, also while one is being saved', async () => {
  const { id } = await made('POST', `/${car.id}/checklist`, {
    title: 'Play of the steering',
    type: 'number',
    required: false,
  });
  const { page, close } = await signedIn(`/vehicles/${car.id}/checklist`);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/checklist/*', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  const entry = page.getByRole('listitem').filter({ hasText: 'Play of the steering' });
  await entry.getByRole('textbox', { name: 'Play of the steering', exact: true }).fill('2');
  await page.keyboard.press('Tab');
  await entry.getByRole('radiogroup').getByText('Not fine').click();
  await entry.getByRole('textbox', { name: /comment/i }).fill('Worn');
  release();
  await expect
    .poll(async () => (await service.call('GET', `/${car.id}/checklist/${id}`)).json.result)
    .toBe('fail');
  await page.keyboard.press('Tab');
  await expect
    .poll(async () => (await service.call('GET', `/${car.id}/checklist/${id}`)).json)
    .toMatchObject({ value: 2, result: 'fail', comment: 'Worn' });
  expect(await page.getByRole('alert').count()).toBe(0);
  await close();
});

test('a tick that is not saved is undone with a reason', async () => {
  await made('PUT', `/${car.id}-2`, { information: { licensePlate: 'HH-MP 2002' } });
  const { id } = await made('POST', `/${car.id}-2/checklist`, {
    title: 'Horn works',
    type: 'check',
  });
  const { page, close } = await signedIn(`/vehicles/${car.id}-2/checklist`);
  const tick = page.getByRole('checkbox', { name: 'Horn works' });
  const reasons = page.getByRole('alert').filter({ hasText: 'The service does not answer' });
  await page.route('**/checklist/*', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await tick.click();
  await reasons.waitFor();
  await expect.poll(() => tick.isChecked()).toBe(false);
  await page.unrouteAll();

  await page.context().setOffline(true);
  await tick.click();
  // Judged before the tick is saved.
  await page.getByRole('radiogroup').getByText('Not fine').click();
  await expect.poll(() => reasons.count()).toBe(3);
  await expect.poll(() => tick.isChecked()).toBe(false);

  await page.context().setOffline(false);
  await tick.click();
  await page.getByRole('radiogroup').getByText('Not fine').click();
  await expect
    .poll(async () => (await service.call('GET', `/${car.id}-2/checklist/${id}`)).json.result)
    .toBe('fail');
  await expect.poll(() => reasons.count()).toBe(3);
  await close();
});

test('what is typed is sent with Back, and asked about before the tab is closed', async () => {
  const { id } = await made('POST', `/${car.id}/checklist`, {
    title: 'Oil level',
    type: 'number',
    required: false,
  });
  const saved = async () => (await service.call('GET', `/${car.id}/checklist/${id}`)).json.value;
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}`);
  const mayClose = () =>
    page.evaluate('dispatchEvent(new Event("beforeunload", { cancelable: true }))');
  const field = page.getByRole('textbox', { name: 'Oil level', exact: true });
  await page.getByRole('link', { name: 'Checklist' }).click();
  await field.focus();
  expect(await mayClose()).toBe(true);
  await field.fill('7');
  await expect.poll(mayClose).toBe(false);
  await page.goBack();
  await expect.poll(() => field.count()).toBe(0);
  await expect.poll(saved).toBe(7);
  await expect.poll(mayClose).toBe(true);

  await page.goForward();
  await expect.poll(() => field.inputValue()).toBe('7');
  await field.fill('8');
  await page.keyboard.press('Tab');
  await expect.poll(mayClose).toBe(true);
  await expect.poll(saved).toBe(8);
  expect(complaints).toEqual([]);
  await close();
});
