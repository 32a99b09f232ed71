import { afterAll, beforeAll, expect, test } from 'vitest';
import { letter } from '../testing/documents/letter.ts';
import { onePixel } from '../testing/images.ts';
import { type IncidentPages, startIncidentPages } from '../testing/incident-pages.ts';

/** What people do with the photos and documents of an incident. */

let incidents: IncidentPages;
beforeAll(async () => {
  incidents = await startIncidentPages();
});
afterAll(() => incidents?.stop());

test('a PDF that cannot be read is a file like others, and what is being entered beside it stays', async () => {
  const { path } = await incidents.report();
  const { page, close } = await incidents.signedIn(path);
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
  const { path, api } = await incidents.report();
  const { page, complaints, close } = await incidents.signedIn(path);
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
  const { json } = await incidents.service.call('GET', api);
  expect(json.blobs).toMatchObject([
    { filename: 'door.png', uploaded: true },
    { filename: 'note.txt', uploaded: true },
  ]);

  await page.getByRole('button', { name: 'Show door.png' }).click();
  await page.getByRole('dialog').getByRole('img', { name: 'door.png' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove door.png' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete file' }).click();
  await expect
    .poll(async () => (await incidents.service.call('GET', api)).json.blobs.length)
    .toBe(1);
  expect(complaints).toEqual([]);
  await close();
});

test('a file that somebody else uploads appears by itself', async () => {
  const { id, path } = await incidents.report();
  const { page, close } = await incidents.signedIn(path);
  await page.getByText('Live', { exact: true }).waitFor();
  await incidents.upload(id, 'note.txt', Buffer.from('Hit a wall'));
  await page.getByRole('button', { name: 'Save note.txt' }).waitFor();
  await close();
});

test('a suggestion is taken beside the document that it comes from', async () => {
  const { id, path, api } = await incidents.report();
  await incidents.upload(id, 'letter.pdf', await letter([['Cause: turned in too tightly']]));
  await incidents.service.runJobs();
  const { page, complaints, close } = await incidents.signedIn(path);
  const document = page.getByRole('region', { name: 'letter.pdf', exact: true });
  await document
    .getByText(/turned in too tightly/)
    .first()
    .waitFor();
  await document.getByRole('button', { name: 'Take: Cause' }).click();
  await document.getByText('Taken').waitFor();
  expect((await incidents.service.call('GET', api)).json.cause).toContain('turned in too tightly');
  expect(complaints).toEqual([]);
  await close();
});
