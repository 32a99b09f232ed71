import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { launchChrome } from '../testing/chrome.ts';
import { openConsole, signIn, untilLoaded } from '../testing/console-page.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** The table of vehicles: views that are shared, columns, and what is done with many. */

const colleague = { username: 'cora', password: 'nine otters cross the river' };
const viewer = { username: 'vera', password: 'nine otters cross the river' };

let service: TestService;
let browser: Browser;
let vehicles: string;
beforeAll(async () => {
  service = await startTestService();
  vehicles = `${service.url}/console/DE-ABC/vehicles`;
  await addUser(service.db, 'DE-ABC', colleague.username, colleague.password, 'editor', 'Cora');
  await addUser(service.db, 'DE-ABC', viewer.username, viewer.password, 'viewer', 'Vera');
  await makeFleet(service.db, 'DE', 'ABC', 60, { hasImages: false });
  const bulk = (plate: string, active: boolean, vin: string) => ({
    asset: { active },
    information: { licensePlate: plate, vendor: 'Bulk', vin },
  });
  await service.call('PUT', '/DE*ABC*BULK0', bulk('HH-BU 0', true, 'WVWZZZBULK0000001'));
  await service.call('PUT', '/DE*ABC*BULK1', bulk('HH-BU 1', false, 'WVWZZZBULK0000001'));
  await service.call('PUT', '/DE*ABC*BULK2', bulk('HH-BU 2', false, 'WVWZZZBULK0000002'));
  await service.call('PUT', '/DE*ABC*BULK3', bulk('HH-BU 3', false, 'WVWZZZBULK0000003'));
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function opened(search = '', user?: typeof viewer) {
  const console = await openConsole(browser, service);
  await console.page.goto(vehicles + search);
  await signIn(console.page, user);
  await untilLoaded(console.page);
  return console;
}

test('a view that somebody saves is seen by a colleague, as it was and at once', async () => {
  const other = await opened('', colleague);
  await other.page.getByText('Live', { exact: true }).waitFor();
  const { page, complaints, close } = await opened();
  await page.getByRole('searchbox').fill('Bulk');
  await page.getByText('4 vehicles', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'VIN' }).click();
  await page.getByRole('button', { name: 'Move VIN up' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Plate', exact: true }).click();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('Name').fill('Bulk cars');
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
  await page.waitForURL(/view=/);

  await other.page.getByRole('link', { name: 'Bulk cars' }).click();
  await other.page.getByText('4 vehicles', { exact: true }).waitFor();
  const headers = async () =>
    (await other.page.locator('thead th').allInnerTexts()).map((text) => text.trim());
  expect((await headers()).slice(-2)).toEqual(['VIN', 'Last heard']);
  expect(await other.page.locator('th[aria-sort="ascending"]').innerText()).toContain('Plate');

  await other.page.getByRole('searchbox').fill('');
  await other.page.getByText('changed', { exact: true }).waitFor();
  await other.page.getByRole('button', { name: 'Undo changes' }).click();
  await other.page.getByText('4 vehicles', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Menu of the view Bulk cars' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await other.page.getByRole('link', { name: 'Bulk cars' }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
  await other.close();
});

test('a view that a colleague has changed meanwhile is not overwritten without a question', async () => {
  const { json: view } = await service.call('POST', '/saved-views', {
    name: 'Ours',
    searchText: 'Bulk',
  });
  const stored = async () => (await service.call('GET', `/saved-views/${view.id}`)).json;
  const { page, complaints, close } = await opened();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Ours' }).click();
  await page.getByText('4 vehicles', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('HH-BU 1');
  await page.getByText('changed', { exact: true }).waitFor();

  // A name is no part of what is saved.
  const renamed = { name: 'Theirs', searchText: 'Bulk' };
  await service.call('PUT', `/saved-views/${view.id}`, renamed);
  await page.getByRole('link', { name: 'Theirs' }).waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('“Theirs” is saved for everybody').waitFor();
  expect(await stored()).toMatchObject({ name: 'Theirs', searchText: 'HH-BU 1' });

  await page.getByRole('searchbox').fill('HH-BU 2');
  await page.getByText('changed', { exact: true }).waitFor();
  const theirs = { name: 'Colleague', searchText: 'HH-BU 3' };
  await service.call('PUT', `/saved-views/${view.id}`, theirs);
  await page.getByRole('link', { name: 'Colleague' }).waitFor();
  const save = page.getByRole('button', { name: 'Save changes' });
  await save.click();
  const question = page.getByRole('alertdialog', { name: 'Somebody else saved first' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await stored()).toMatchObject(theirs);
  await save.click();
  await question.getByRole('button', { name: 'Replace theirs' }).click();
  await page.getByText('“Colleague” is saved for everybody').waitFor();
  expect(await stored()).toMatchObject({ name: 'Colleague', searchText: 'HH-BU 2' });
  await service.call('DELETE', `/saved-views/${view.id}`);
  expect(complaints).toEqual([]);
  await close();
});

test('the menu of a column sorts by several, filters, moves and hides', async () => {
  const { page, close } = await opened();
  const choose = async (column: string, item: string) => {
    await page.getByRole('button', { name: `Menu of the column ${column}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Vehicle', 'Sort descending');
  await page.waitForURL(/sort=-information\.vendor(&|$)/);
  await choose('Odometer', 'Then sort by this');
  await page.waitForURL(/sort=-information\.vendor(,|%2C)status\.odometer/);
  await choose('Odometer', 'Move left');
  await page.waitForURL(/columns=plate(,|%2C)model(,|%2C)state(,|%2C)level(,|%2C)odometer/);
  await expect
    .poll(async () => (await page.locator('thead th').allInnerTexts()).map((text) => text.trim()))
    .toEqual([
      'Plate',
      expect.stringMatching(/^Vehicle/),
      'State',
      'Level',
      expect.stringMatching(/^Odometer/),
      'Range',
      'Last heard',
    ]);
  await choose('Range', 'Hide');
  await page.getByRole('columnheader', { name: /Range/ }).waitFor({ state: 'detached' });
  await choose('Plate', 'Filter…');
  await page.getByRole('dialog').getByLabel('Value').fill('HH-BU');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('4 vehicles', { exact: true }).waitFor();
  await close();
});

test('vehicles are selected by keyboard and put into service; what fails is told, the others are done', async () => {
  const { page, complaints, close } = await opened('?q=Bulk');
  await page.getByText('4 vehicles', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('checkbox', { name: 'Select DE*ABC*BULK3' }).click();
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Put into service' }).click();
  const dialog = page.getByRole('dialog', { name: 'Put 3 vehicles into service' });
  await dialog.getByRole('button', { name: 'Put into service' }).click();
  await dialog.getByText('2 done, 1 failed').waitFor();
  const failure = dialog.getByRole('listitem');
  expect(await failure.count()).toBe(1);
  expect(await failure.innerText()).toMatch(/HH-BU 1[\s\S]*DE\*ABC\*BULK0 has this VIN/);
  const active = async (id: string) => (await service.call('GET', `/${id}`)).json.asset.active;
  expect(await Promise.all(['DE*ABC*BULK1', 'DE*ABC*BULK2', 'DE*ABC*BULK3'].map(active))).toEqual([
    false,
    true,
    true,
  ]);
  await service.call('PATCH', '/DE*ABC*BULK0/asset', { active: false });
  await dialog.getByRole('button', { name: 'Try the 1 again' }).click();
  await dialog.getByText('Done for 1 vehicle').waitFor();
  expect(await active('DE*ABC*BULK1')).toBe(true);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('3 selected').waitFor({ state: 'detached' });
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
  await close();
});

test('a schedule and a checklist reach all that match', async () => {
  const { json: schedule } = await service.call('POST', '/maintenance-schedules', {
    title: 'Bulk service',
    intervalMonths: 12,
    vendor: 'Nobody',
  });
  await service.call('POST', '/checklist-templates', {
    name: 'Bulk handover',
    entries: [{ title: 'Keys', type: 'check' }],
  });
  const { page, close } = await opened('?q=Bulk');
  await page.getByRole('checkbox', { name: 'Select DE*ABC*BULK2' }).click();
  await page.getByRole('button', { name: 'Select all 4' }).click();
  await page.getByText('4 selected').waitFor();
  const apply = async (action: string, label: string, choice: string) => {
    await page.getByRole('button', { name: action }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: choice }).click();
    await dialog.getByRole('button', { name: action }).click();
    await dialog.getByText('Done for 4 vehicles').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  };
  await apply('Assign a schedule', 'Schedule', schedule.title);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click();
  await apply('Apply a checklist', 'Checklist template', 'Bulk handover');
  for (const id of ['BULK0', 'BULK3']) {
    const { json: planned } = await service.call('GET', `/DE*ABC*${id}/maintenance`);
    expect(planned.items).toContainEqual(
      expect.objectContaining({ title: 'Bulk service', intervalMonths: 12 }),
    );
    const { json: checks } = await service.call('GET', `/DE*ABC*${id}/checklist`);
    expect(checks.items).toMatchObject([{ title: 'Keys' }]);
  }
  await close();
});

test('a workshop date is planned for all that are selected', async () => {
  const { page, violations, close } = await opened('?q=Bulk');
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click();
  await page.getByRole('button', { name: 'Plan workshop date' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan a workshop date for 4 vehicles' });
  const plan = dialog.getByRole('button', { name: 'Plan workshop date' });
  await dialog.getByLabel('What is to be done').fill('Winter tyres');
  await page.keyboard.press('Escape');
  await dialog.getByText('Discard what you have entered?').waitFor();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  expect(await plan.isDisabled()).toBe(true);
  await dialog.getByLabel('Due on').fill('0031-10-20');
  await dialog.getByLabel('Due on').blur();
  await dialog.getByText('Enter the whole date').waitFor();
  await plan.click();
  await dialog.getByLabel('Due on').fill('2031-10-20');
  expect(await violations()).toEqual([]);
  await plan.click();
  await dialog.getByText('Done for 4 vehicles').waitFor();
  for (const id of ['BULK0', 'BULK3']) {
    const { json: planned } = await service.call('GET', `/DE*ABC*${id}/maintenance`);
    expect(planned.items).toContainEqual(
      expect.objectContaining({ title: 'Winter tyres', type: 'service', dueDate: '2031-10-20' }),
    );
  }
  await close();
});

test('an action that runs is neither hidden nor left, and what it has not done stays selected', async () => {
  const { page, close } = await opened();
  await page.getByRole('link', { name: 'Maintenance' }).first().click();
  await page.getByRole('button', { name: 'Plan maintenance' }).waitFor();
  await page.getByRole('link', { name: 'Vehicles' }).first().click();
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click();
  await page.getByRole('button', { name: 'Select all 64' }).click();
  await page.getByText('64 selected').waitFor();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const begun: string[] = [];
  await page.route(/\/maintenance$/, async (route) => {
    const isFirst = begun.push(route.request().url()) === 1;
    await isAnswered;
    if (isFirst) await route.fulfill({ status: 409, json: { title: 'Refused' } });
    else await route.continue();
  });
  await page.getByRole('button', { name: 'Plan workshop date' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan a workshop date for 64 vehicles' });
  await dialog.getByLabel('What is to be done').fill('Stopped early');
  await dialog.getByLabel('Due on').fill('2031-10-20');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByText('64 selected').count()).toBe(1);

  await page.getByRole('button', { name: 'Plan workshop date' }).click();
  await dialog.getByLabel('What is to be done').fill('Stopped early');
  await dialog.getByLabel('Due on').fill('2031-10-20');
  await dialog.getByRole('button', { name: 'Plan workshop date' }).click();
  const stop = dialog.getByRole('button', { name: 'Stop' });
  await expect.poll(() => begun.length).toBe(4);
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.waitForURL(/\/vehicles/);
  expect(
    await page.evaluate('dispatchEvent(new Event("beforeunload", { cancelable: true }))'),
  ).toBe(false);
  await stop.click();
  answer();
  await dialog.getByText('Stopped: 3 done, 1 failed, 60 not begun').waitFor();
  expect(begun.length).toBe(4);
  await page.keyboard.press('Escape');
  await page.getByText('61 selected').waitFor();

  await page.keyboard.press('Escape');
  await page.getByText('61 selected').waitFor({ state: 'detached' });
  await close();
});

test('a viewer can neither select nor save, and has the views', async () => {
  await service.call('POST', '/saved-views', { name: 'Shared', searchText: 'Bulk' });
  const { page, close } = await opened('?q=HH', viewer);
  await page.getByRole('link', { name: 'Shared' }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Shared' }).click();
  await page.getByText('4 vehicles', { exact: true }).waitFor();
  await close();
});

test.each([{ colorScheme: 'light' as const }, { colorScheme: 'dark' as const }])(
  'views, menus and actions are accessible: $colorScheme',
  async (options) => {
    const { page, violations, close } = await openConsole(browser, service, options);
    await page.goto(`${vehicles}?q=Bulk`);
    await signIn(page);
    await untilLoaded(page);
    await page.getByRole('checkbox', { name: 'Select DE*ABC*BULK2' }).click();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.waitForTimeout(500);
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Apply a checklist' }).click();
    await page.waitForTimeout(500);
    expect(await violations()).toEqual([]);
    await close();
  },
);
