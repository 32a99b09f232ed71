import type { Locator, Page } from 'playwright-core';
import { type ConsoleFleet, startConsoleFleet } from './console-fleet.ts';
import { makeRecord } from './make-record.ts';
import { uploadNew } from './uploads.ts';

export const vehicle = { id: 'DE*ABC*WANTED', plate: 'HH-WA 8294' };

export const damage = {
  title: 'Mirror torn off',
  damageType: 'broken part',
  severity: 'high',
  repaired: false,
  position: 'right_side_mirror_upper',
};

export const threeDamages = ['antenna', 'front_license_plate_area', 'right_side_mirror_upper'].map(
  (position, index) => ({ ...damage, position, title: `Damage ${index}`, severity: 'light' }),
);

export type IncidentPages = ConsoleFleet & {
  /** A new incident of the vehicle; its page is at `path`. */
  report(fields?: object): Promise<{ id: string; path: string; api: string }>;
  upload(incidentId: string, filename: string, body: Buffer): Promise<void>;
};

/** The console of a fleet whose vehicle has incidents. */
export async function startIncidentPages(): Promise<IncidentPages> {
  const started = await startConsoleFleet();
  const { service } = started;
  await makeRecord(service, 'PUT', `/${vehicle.id}`, {
    information: { licensePlate: vehicle.plate, vendor: 'VW', model: 'Golf' },
  });
  return {
    ...started,
    async report(fields = {}) {
      const { id } = await makeRecord(service, 'POST', `/${vehicle.id}/incidents`, {
        title: 'Scraped a bollard',
        vehicleOperable: true,
        isResolved: false,
        ...fields,
      });
      return {
        id,
        path: `/incidents/${vehicle.id}/${id}`,
        api: `/${vehicle.id}/incidents/${id}`,
      };
    },
    upload: (incidentId, filename, body) =>
      uploadNew(service, `/${vehicle.id}/blobs/incidents/${incidentId}`, filename, body),
  };
}

export const areaOf = (page: Page, position: string): Locator =>
  page.locator(`.damage-atlas [data-position="${position}"]`);

export const damagesOf = (page: Page): Locator => page.getByRole('list', { name: 'Damages' });
