import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { untilLoaded } from '../testing/console-page.ts';
import {
  areaOf,
  damage,
  damagesOf,
  type IncidentPages,
  startIncidentPages,
  threeDamages,
  vehicle,
} from '../testing/incident-pages.ts';

/** The list of incidents, those of a vehicle, and the accessibility of all pages of incidents. */

const viewer = { username: 'reader', password: 'a long password of the reader' };

let incidents: IncidentPages;
beforeAll(async () => {
  incidents = await startIncidentPages();
  await addUser(incidents.service.db, 'DE-ABC', viewer.username, viewer.password, 'viewer');
  await incidents.report({
    title: 'Scratched by a branch',
    isResolved: true,
    incidentTimestamp: '2026-03-01T10:30:00.000Z',
    damages: [{ ...damage, position: 'antenna' }],
  });
  await incidents.report({ damages: threeDamages });
});
afterAll(() => incidents?.stop());

test('the list is found by half a plate, filtered, and opened; a viewer changes nothing', async () => {
  await incidents.report({ title: 'Must be towed', vehicleOperable: false, damages: [damage] });
  const { page, complaints, close } = await incidents.signedIn('/incidents', {}, viewer);
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
  await incidents.report({
    title: 'Lost its mirror',
    damages: [{ ...damage, position: 'antenna' }],
  });
  const { page, close } = await incidents.signedIn(`/vehicles/${vehicle.id}/incidents`);
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
    const { path } = await incidents.report({ damages: [damage], description: 'At low speed.' });
    const { page, violations, complaints, close } = await incidents.signedIn('/incidents', options);
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
      await page.goto(incidents.fleet + one);
      await untilLoaded(page);
      found[one] = await violations();
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(isWide, one).toBe(false);
    }
    await page.goto(incidents.fleet + path);
    await untilLoaded(page);
    await page.locator('[class*="damageMain"]').click();
    found.form = await violations();
    if (options.locale) await page.getByRole('form', { name: 'Schaden ändern' }).waitFor();
    expect(Object.entries(found).filter(([, broken]) => broken.length > 0)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
);
