import { afterAll, beforeAll, expect, test } from 'vitest';
import { car, daysAgo, type RecordPages, startRecordPages } from '../testing/record-pages.ts';

/** What people do with the logbook of a vehicle. */

let records: RecordPages;
beforeAll(async () => {
  records = await startRecordPages();
});
afterAll(() => records?.stop());

test('an amount is read with either separator of decimals', async () => {
  const { page, complaints, close } = await records.signedIn(`/vehicles/${car.id}/logbook`);
  await page.getByRole('button', { name: 'Add entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add entry' });
  await dialog.getByRole('textbox', { name: 'What happened' }).fill('New wipers');
  const cost = dialog.getByLabel('Cost with taxes');
  const odometer = dialog.getByLabel('Odometer');
  for (const enter of ['typed', 'pasted'])
    for (const [text, shown] of [
      ['189,90', '189.90'],
      ['1.234,56', '1,234.56'],
      ['1,234.56', '1,234.56'],
      ['1,234', '1,234'],
    ] as const) {
      await cost.clear();
      if (enter === 'typed') await cost.pressSequentially(text);
      else await page.keyboard.insertText(text);
      await odometer.focus();
      expect(await cost.inputValue(), `${text}, ${enter}`).toBe(shown);
    }
  await odometer.fill('12.400');
  await cost.fill('189,90');
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'New wipers' });
  await entry.getByText('€189.90').waitFor();
  await entry.getByText('12,400 km').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  { locale: 'en-GB', edit: 'Edit', odometer: 'Odometer', cost: 'Cost with taxes' },
  { locale: 'de-DE', edit: 'bearbeiten', odometer: 'Kilometerstand', cost: 'Kosten mit Steuern' },
])(
  'a digit more or less of a number that is shown is no more than that: $locale',
  async (words) => {
    const title = `Workshop ${words.locale}`;
    const { id } = await records.made('POST', `/${car.id}/logbook`, {
      title,
      date: daysAgo(8).slice(0, 10),
      odometer: 45_230,
      cost: { amount: 123_400, currency: 'EUR' },
    });
    const saved = async () => {
      const { json } = await records.service.call('GET', `/${car.id}/logbook/${id}`);
      return [json.odometer, json.cost.amount, json.cost.currency];
    };
    const { page, complaints, close } = await records.signedIn(`/vehicles/${car.id}/logbook`, {
      locale: words.locale,
    });
    const edit = page
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByRole('button', { name: words.edit });
    const odometer = page.getByRole('dialog').getByLabel(words.odometer);
    const cost = page.getByRole('dialog').getByLabel(words.cost);

    await edit.click();
    await cost.press('End');
    await page.keyboard.press('Backspace');
    await odometer.press('End');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect.poll(saved).toEqual([452_301, 12_300, 'EUR']);
    await expect.poll(() => odometer.count()).toBe(0);

    await edit.click();
    await odometer.press('End');
    await page.keyboard.press('Backspace');
    // Entered by the keyboard, a field is overwritten.
    await page.keyboard.press('Tab');
    await page.keyboard.type('2345');
    await page.keyboard.press('Enter');
    await expect.poll(saved).toEqual([45_230, 234_500, 'EUR']);
    await expect.poll(() => odometer.count()).toBe(0);

    // A currency has its own minor unit.
    await edit.click();
    await page
      .getByRole('dialog')
      .getByLabel(/^(Currency|Währung)$/)
      .fill('KWD');
    await cost.fill(words.locale === 'de-DE' ? '12,345' : '12.345');
    await page.keyboard.press('Enter');
    await expect.poll(saved).toEqual([45_230, 12_345, 'KWD']);
    expect(complaints).toEqual([]);
    await close();
  },
);

test('an entry of the logbook is written with a file, changed and deleted', async () => {
  const { page, complaints, close } = await records.signedIn(`/vehicles/${car.id}/logbook`);
  await page.getByRole('button', { name: 'Add entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add entry' });
  await dialog.getByRole('textbox', { name: 'What happened' }).fill('Parking in the city');
  await dialog.getByLabel('Cost with taxes').fill('12.50');
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'ticket.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Thank you for parking'),
  });
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Parking in the city' });
  await entry.getByText('€12.50').waitFor();
  await entry.getByRole('button', { name: 'Show ticket.txt' }).click();
  await page.getByText('Thank you for parking').waitFor();
  await page.keyboard.press('Escape');

  await entry.getByRole('button', { name: 'Edit Parking in the city' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit entry' });
  await edit.getByRole('textbox', { name: 'Description' }).fill('Garage of the opera');
  await edit.getByRole('button', { name: 'Save' }).click();
  await entry.getByText('Garage of the opera').waitFor();

  await entry.getByRole('button', { name: 'Delete Parking in the city' }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete the entry?' })
    .getByRole('button', { name: 'Delete entry' })
    .click();
  await expect.poll(() => entry.count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('an entry of the logbook that is edited stays when newer ones take its place', async () => {
  const id = 'DE*ABC*LOGBOOK';
  await records.made('PUT', `/${id}`, { information: { licensePlate: 'HH-MP 1002' } });
  const title = 'Dent in the door';
  const dented = await records.made('POST', `/${id}/logbook`, { title, date: '2026-01-01' });
  const { page, close } = await records.signedIn(`/vehicles/${id}/logbook`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Edit ${title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit entry' });
  await dialog.getByRole('textbox', { name: 'Description' }).fill('As long as a hand');
  for (let count = 0; count < 25; count += 1)
    await records.made('POST', `/${id}/logbook`, { title: 'Washed', date: '2026-01-02' });
  await expect.poll(() => page.getByText('Washed').count()).toBe(25);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  const { json } = await records.service.call('GET', `/${id}/logbook/${dented.id}`);
  expect(json.description).toBe('As long as a hand');
  await close();
});

test('an entry of the logbook that cannot be read is told, and read again', async () => {
  const title = 'Lost a hubcap';
  const { id } = await records.made('POST', `/${car.id}/logbook`, {
    title,
    date: daysAgo(1).slice(0, 10),
  });
  const { page, close } = await records.signedIn(`/vehicles/${car.id}/logbook`);
  await page.route(`**/logbook/${id}`, (route) => route.fulfill({ status: 404, json: {} }));
  await page.getByRole('button', { name: `Edit ${title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit entry' });
  await dialog.getByText('It is not there').waitFor();
  await page.unroute(`**/logbook/${id}`);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  expect(await dialog.getByRole('textbox', { name: 'What happened' }).inputValue()).toBe(title);
  await close();
});
