import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { DemoContext } from '../../demo-context.ts';
import { definitionOf, type SavedViewRequest } from '../saved-view.ts';

/** What a fleet manager looks at often. */
export const demoViews: readonly SavedViewRequest[] = [
  {
    name: 'Electric, by level',
    filters: [
      { field: 'asset.active', operator: 'eq', value: true },
      { field: 'information.evBatteryCapacity', operator: 'gte', value: 1 },
    ],
    sorting: [{ field: 'status.fuelLevel', direction: 'asc' }],
    columns: ['plate', 'model', 'state', 'level', 'reach', 'odometer', 'heard'],
  },
  {
    name: 'Service within 2,000 km',
    filters: [{ field: 'status.nextServiceDistance', operator: 'lte', value: 2_000 }],
    sorting: [{ field: 'status.nextServiceDistance', direction: 'asc' }],
    columns: ['plate', 'model', 'state', 'odometer', 'serviceDistance'],
  },
  {
    name: 'Unlocked',
    filters: [{ field: 'status.isLocked', operator: 'eq', value: false }],
    sorting: [{ field: 'status.lastUpdated', direction: 'desc' }],
  },
];

export async function seedViews({ provider, extent, clock, tx }: DemoContext): Promise<void> {
  if (extent === 'small') return;
  const now = clock.now();
  const rows = demoViews.map((view) => ({
    provider: provider.id,
    name: view.name,
    definition: definitionOf(view),
    created_at: now,
    updated_at: now,
  }));
  await insertRows(tx, 'saved_views', rows);
}
