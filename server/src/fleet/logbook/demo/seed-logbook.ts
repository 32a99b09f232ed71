import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { DemoContext } from '../../demo-context.ts';
import { addDemoFiles } from '../../files/public.ts';
import { customerRow } from '../../users/public.ts';
import { logbooks } from './logbook.ts';
import { logbookFiles } from './logbook-files.ts';

export async function seedLogbook(context: DemoContext): Promise<void> {
  const entries = logbooks(context);
  const rows = entries.map(({ vehicle, entry }) => {
    const { customer, cost, tags = [], createdAt, updatedAt, ...rest } = entry;
    return {
      provider: context.provider.id,
      vehicle_id: vehicle.asset.id,
      ...rest,
      cost_amount: cost?.amount,
      cost_currency: cost?.currency,
      ...customerRow(customer),
      tags,
      created_at: createdAt,
      updated_at: updatedAt,
    };
  });
  await insertRows(context.tx, 'logbook_entries', rows);
  const files = await Promise.all(entries.map(logbookFiles));
  await addDemoFiles(context, 'logbook', files.flat());
}
