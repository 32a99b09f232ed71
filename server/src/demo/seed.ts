import { addDemoClient } from '../auth/clients.ts';
import { addProvider, listProviders } from '../auth/providers.ts';
import { addDemoUser } from '../auth/users.ts';
import type { Dependencies, FleetSettings } from '../fleet/dependencies.ts';
import type { Events } from '../fleet/events.ts';
import { modules } from '../fleet/index.ts';
import { refreshFleet } from '../fleet/maintenance/public.ts';
import { createPartitions } from '../fleet/telemetry/public.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import { createPublisher } from '../platform/events/publisher.ts';
import { UserError } from '../platform/user-error.ts';
import { demoProviders } from './providers.ts';

export const demoCredentials = {
  clientId: 'demo-client',
  clientSecret: 'demo-secret',
  username: 'demo',
  password: 'demo',
};

/** The modules write themselves what would follow from their records. */
const noSubscribers: Events = createPublisher([], {});

/** Makes the demo providers in an empty database; leaves them as they are in one that has them. */
export async function seedDemo(
  db: Database,
  owner: Database,
  blobs: BlobStore,
  settings: FleetSettings,
  startedAt: Date = new Date(),
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
  const now = hourOf(startedAt);
  const clock = { now: () => now };
  await createPartitions(owner, settings.historyDays, now);
  await db.transaction(async (tx) => {
    // What a fleet begins with has not happened to it.
    await tx.queryUnprepared(`set local motorpool.events = 'off'`);
    for (const { provider, name, extent } of demoProviders) {
      await addProvider(tx, provider.id, name, { demo: true });
      await addDemoClient(tx, provider.id, clientId, clientSecret);
      await addDemoUser(tx, provider.id, username);
      const context = { tx, events: noSubscribers, blobs, settings, clock, provider, extent };
      for (const module of modules) await module.demo?.(context);
    }
  });
}

/** Whoever starts again after a first start that was cut short writes the same files over those that are there. */
function hourOf(time: Date): Date {
  const hour = new Date(time);
  hour.setUTCMinutes(0, 0, 0);
  return hour;
}

/** Has all that depends on the date brought up to the present one. */
export async function refreshFleets({
  db,
  jobs,
}: Pick<Dependencies, 'db' | 'jobs'>): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { provider } of demoProviders)
      await jobs.add(tx, refreshFleet, { provider: provider.id });
  });
}
