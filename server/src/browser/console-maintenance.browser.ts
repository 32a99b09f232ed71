import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePixel } from '../testing/images.ts';
import { car, daysAgo, type RecordPages, startRecordPages } from '../testing/record-pages.ts';

/** What people do with planned maintenance. */

let records: RecordPages;
beforeAll(async () => {
  records = await startRecordPages();
  for (const title of ['Replace the brake pads', 'Yearly service'])
    await records.made('POST', `/${car.id}/maintenance`, {
      title,
      dueDate: daysAgo(5).slice(0, 10),
    });
});
afterAll(() => records?.stop());

test('a service is marked done with its cost and a file, and leaves the plan', async () => {
  const { page, complaints, close } = await records.signedIn('/maintenance?status=overdue');
  await page.getByRole('link', { name: 'Replace the brake pads' }).click();
  const panel = page.getByRole('dialog', { name: 'Replace the brake pads' });
  await panel.getByText('Planned by a person').waitFor();
  await panel.getByRole('button', { name: 'Mark done' }).click();
  const dialog = page.getByRole('dialog', { name: 'Done: Replace the brake pads' });
  await dialog.getByLabel('Cost with taxes').fill('123.45');
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'bill.png',
    mimeType: 'image/png',
    buffer: onePixel,
  });
  await dialog.getByText('bill.png').waitFor();
  await dialog.getByRole('button', { name: 'Mark done' }).click();
  await page.getByText(`${car.plate}: Replace the brake pads is done`).waitFor();
  await expect
    .poll(() => page.getByRole('link', { name: 'Replace the brake pads' }).count())
    .toBe(0);

  await page.goto(`${records.fleet}/vehicles/${car.id}/logbook`);
  const entry = page.getByRole('listitem').filter({ hasText: 'Replace the brake pads' });
  await entry.getByText('€123.45').waitFor();
  await entry.getByRole('button', { name: 'Show bill.png' }).click();
  await page.getByRole('img', { name: 'bill.png' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('files of what was done on a day before another time belong to its entry', async () => {
  const { id } = await records.made('POST', `/${car.id}/maintenance`, {
    title: 'Check the trailer',
    intervalMonths: 6,
  });
  await records.made('POST', `/${car.id}/maintenance/${id}/done`, {
    date: daysAgo(2).slice(0, 10),
  });
  const { page, complaints, close } = await records.signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Check the trailer', exact: true }).click();
  await page.getByRole('button', { name: 'Mark done' }).click();
  const dialog = page.getByRole('dialog', { name: 'Done: Check the trailer' });
  await dialog.getByLabel('Done on').fill(daysAgo(40).slice(0, 10));
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'trailer.png',
    mimeType: 'image/png',
    buffer: onePixel,
  });
  await dialog.getByRole('button', { name: 'Mark done' }).click();
  await page.getByText(`${car.plate}: Check the trailer is done`).waitFor();
  const filters = [{ field: 'maintenanceReportId', value: id }];
  const { json } = await records.service.call('POST', `/${car.id}/logbook/search`, { filters });
  const blobs = json.items.flatMap((entry: { blobs?: object[] }) => entry.blobs ?? []);
  expect(blobs).toMatchObject([{ filename: 'trailer.png', uploaded: true }]);
  expect(complaints).toEqual([]);
  await close();
});

test('a file of the same name, of what is done again on the same day, is stored beside the first', async () => {
  const { id } = await records.made('POST', `/${car.id}/maintenance`, {
    title: 'Wash the van',
    intervalMonths: 1,
  });
  const { page, complaints, close } = await records.signedIn(`/vehicles/${car.id}/maintenance`);
  const filters = [{ field: 'maintenanceReportId', value: id }];
  for (const count of [1, 2]) {
    await page.goto(`${records.fleet}/vehicles/${car.id}/maintenance?report=${id}`);
    await page.getByRole('button', { name: 'Mark done' }).click();
    const dialog = page.getByRole('dialog', { name: 'Done: Wash the van' });
    const file = { name: 'bill.png', mimeType: 'image/png', buffer: onePixel };
    await dialog.locator('input[type="file"]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Mark done' }).click();
    await page.getByText(`${car.plate}: Wash the van is done`).waitFor();
    const { json } = await records.service.call('POST', `/${car.id}/logbook/search`, { filters });
    expect(json.items).toHaveLength(1);
    expect(json.items[0].blobs).toEqual(
      Array(count).fill(expect.objectContaining({ filename: 'bill.png', uploaded: true })),
    );
  }
  expect(complaints).toEqual([]);
  await close();
});

test('what is cleared of planned maintenance is cleared', async () => {
  const { id } = await records.made('POST', `/${car.id}/maintenance`, {
    title: 'Change the tyres',
    dueDate: '2031-04-01',
    dueOdometer: 90_000,
    notes: 'They are in the cellar',
  });
  const { page, complaints, close } = await records.signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Change the tyres', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit maintenance' });
  await dialog.getByLabel('Notes').clear();
  await dialog.getByLabel('Due on').clear();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  const { json } = await records.service.call('GET', `/${car.id}/maintenance/${id}`);
  expect(json).toMatchObject({ title: 'Change the tyres', dueOdometer: 90_000 });
  expect(json).not.toHaveProperty('notes');
  expect(json).not.toHaveProperty('dueDate');
  expect(complaints).toEqual([]);
  await close();
});

test('part of a date, or a year of two digits, is told and not saved', async () => {
  const { page, complaints, close } = await records.signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('button', { name: 'Plan maintenance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' });
  const title = dialog.getByRole('textbox', { name: 'What is to be done' });
  await title.fill('Clean the filter');
  await dialog.getByLabel('Due at').fill('90000');
  const field = dialog.getByLabel('Due on');
  const message = dialog.getByText('Enter the whole date');
  const planned = async () => {
    const filters = [{ field: 'title', value: 'Clean the filter' }];
    const { json } = await records.service.call('POST', `/${car.id}/maintenance/search`, {
      filters,
    });
    return json.items.map(({ dueDate }: { dueDate?: string }) => dueDate);
  };
  await field.focus();
  await page.keyboard.type('0404');
  await title.focus();
  await message.waitFor();
  await page.keyboard.press('Enter');
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('040431');
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('0031-04-04');
  await message.waitFor();
  expect(await planned()).toEqual([]);

  await field.fill('2031-04-17');
  await expect.poll(() => message.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  expect(await planned()).toEqual(['2031-04-17']);
  expect(complaints).toEqual([]);
  await close();
});

test('what somebody else has changed meanwhile is not overwritten', async () => {
  const { page, close } = await records.signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Yearly service', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit maintenance' });
  await dialog.getByLabel('Notes').fill('Mine');
  const { json } = await records.service.call('GET', `/${car.id}/maintenance`);
  const report = json.items.find((item: { title: string }) => item.title === 'Yearly service');
  await records.made('PUT', `/${car.id}/maintenance/${report.id}`, { ...report, notes: 'Theirs' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Somebody else has changed it').waitFor();
  await dialog.getByRole('button', { name: 'Load it again' }).click();
  await page.getByText('Theirs').waitFor();
  await close();
});

test('planned maintenance is removed in the version that the question names', async () => {
  const planned = { title: 'Change the wipers', dueDate: daysAgo(-40).slice(0, 10) };
  const { id } = await records.made('POST', `/${car.id}/maintenance`, planned);
  const api = `/${car.id}/maintenance/${id}`;
  const { page, close } = await records.signedIn(`/vehicles/${car.id}/maintenance?report=${id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const ask = page.getByRole('button', { name: 'Remove from the plan' }).first();
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Remove from the plan' });
  await ask.click();
  await question.getByText(/Change the wipers/).waitFor();
  await records.made('PUT', api, { ...planned, title: 'Recall of the brakes' });
  await page.getByRole('heading', { name: 'Recall of the brakes', includeHidden: true }).waitFor();
  await confirm.click();
  await question.getByText(/Somebody else has changed it/).waitFor();
  expect((await records.service.call('GET', api)).status).toBe(200);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await ask.click();
  await question.getByText(/Recall of the brakes/).waitFor();
  await confirm.click();
  await expect.poll(async () => (await records.service.call('GET', api)).status).toBe(404);
  await close();
});

test('what is being entered stays when somebody else has the maintenance done meanwhile', async () => {
  const title = 'Align the wheels';
  const report = await records.made('POST', `/${car.id}/maintenance`, {
    title,
    dueDate: '2031-04-17',
  });
  const { page, close } = await records.signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit maintenance' });
  await dialog.getByLabel('Notes').fill('Mine');
  await records.made('POST', `/${car.id}/maintenance/${report.id}/done`, {});
  await expect.poll(() => page.getByText('Remove from the plan').count()).toBe(0);
  expect(await dialog.getByLabel('Notes').inputValue()).toBe('Mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await close();
});

test('a form asks before it forgets what was entered', async () => {
  const { page, close } = await records.signedIn('/maintenance');
  await page.getByRole('button', { name: 'Plan maintenance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' });
  await dialog.getByRole('textbox', { name: 'What is to be done' }).fill('Wash');
  await page.keyboard.press('Escape');
  await dialog.getByText('Discard what you have entered?').waitFor();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByLabel('Vehicle').first().fill('mp 1001');
  await page.getByRole('option', { name: /HH-MP 1001/ }).click();
  await dialog.getByLabel('Due on').fill('2030-05-17');
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click();
  await page.getByText(`Planned for ${car.plate}`).waitFor();
  await page.goto(`${records.fleet}/maintenance?view=calendar&month=2030-05`);
  const entry = page.getByRole('link', { name: /HH-MP 1001.*Wash/ });
  await entry.waitFor();
  await page.getByRole('searchbox').fill('Tyres');
  await entry.waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('1001 wash');
  await entry.waitFor();
  await close();
});

test('a form stays open while it is sent, and tells that it was refused', async () => {
  const { id } = await records.made('POST', `/${car.id}/maintenance`, {
    title: 'Polish the hood',
    dueDate: '2031-05-01',
  });
  const { page, close } = await records.signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Polish the hood', exact: true }).click();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/maintenance/${id}/done`, async (route) => {
    await isAnswered;
    await route.fulfill({ status: 409, json: { title: 'Refused', detail: 'The book is full' } });
  });
  await page.getByRole('button', { name: 'Mark done' }).click();
  const dialog = page.getByRole('dialog', { name: 'Done: Polish the hood' });
  const sent = page.waitForRequest(`**/maintenance/${id}/done`);
  await dialog.getByRole('button', { name: 'Mark done' }).click();
  await sent;
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.waitForURL(/report=/);
  answer();
  await dialog.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('dialog', { name: 'Polish the hood' }).waitFor();
  await close();
});
