import { addDemoClient } from '../auth/clients.ts';
import { addProvider, listProviders } from '../auth/providers.ts';
import { addDemoUser } from '../auth/users.ts';
import type { FleetSettings } from '../fleet/dependencies.ts';
import type { Events } from '../fleet/events.ts';
import { createPartitions } from '../fleet/telemetry/public.ts';
import { type Vehicle, writeVehicles } from '../fleet/vehicles/public.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import { createPublisher } from '../platform/events/publisher.ts';
import { UserError } from '../platform/user-error.ts';
import { demoFleet, smallDemoFleet } from './fleet.ts';
import { planFleet } from './plan-fleet.ts';
import { demoRecords, type Extent, rich, small } from './records.ts';
import { storeFiles, writeRecords } from './write-records.ts';
import { writeTelemetry } from './write-telemetry.ts';

export const demoCredentials = {
  clientId: 'demo-client',
  clientSecret: 'demo-secret',
  username: 'demo',
  password: 'demo',
};

type DemoProvider = {
  countryCode: string;
  code: string;
  name: string;
  fleet: (now: Date) => Vehicle[];
  extent: Extent;
};

const demoProviders: DemoProvider[] = [
  { countryCode: 'DE', code: 'ABC', name: 'Demo fleet Germany', fleet: demoFleet, extent: rich },
  {
    countryCode: 'FR',
    code: 'XYZ',
    name: 'Demo fleet France',
    fleet: smallDemoFleet,
    extent: small,
  },
];

/** The demo writes itself what would follow from its vehicles. */
const noSubscribers: Events = createPublisher([], {});

/** Makes the demo providers in an empty database; leaves them as they are in one that has them. */
export async function seedDemo(
  db: Database,
  blobs: BlobStore,
  settings: FleetSettings,
): Promise<void> {
  const existing = await listProviders(db);
  if (existing.some(({ demo }) => demo)) return;
  if (existing.length > 0) {
    throw new UserError(
      'This database holds asset providers already, and the demo wants one of its own: ' +
        'set another DATA_DIR or DATABASE_URL, or run "motorpool serve".',
    );
  }
  const { clientId, clientSecret, username } = demoCredentials;
  const now = new Date();
  await createPartitions(db, settings.historyDays, now);
  const clock = { now: () => now };
  await db.transaction(async (tx) => {
    for (const { countryCode, code, name, fleet, extent } of demoProviders) {
      const id = `${countryCode}-${code}`;
      const vehicles = fleet(now);
      const records = await demoRecords(id, vehicles, extent, now);
      await addProvider(tx, id, name, { demo: true });
      await addDemoClient(tx, id, clientId, clientSecret);
      await addDemoUser(tx, id, username);
      await writeVehicles(
        { tx, events: noSubscribers, clock },
        { id, countryCode, code },
        vehicles,
      );
      await storeFiles(blobs, id, records.files);
      await writeRecords(tx, id, records, now);
      await writeTelemetry(tx, id, vehicles, settings, now);
      await planFleet({ tx, events: noSubscribers, clock }, id, vehicles, records);
    }
  });
}
