import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { DemoContext } from '../../demo-context.ts';
import { customerRow } from '../../users/public.ts';
import { checklists, handoverTemplate } from './checklist.ts';

export async function seedChecklist(context: DemoContext): Promise<void> {
  const provider = context.provider.id;
  const now = context.clock.now();
  const template = { provider, ...handoverTemplate(provider), created_at: now, updated_at: now };
  await insertRows(context.tx, 'checklist_templates', [template]);
  const rows = checklists(context).map(({ vehicle, entry }, ordinal) => {
    const { customer, performedAt, dueDate, createdAt, updatedAt, ...rest } = entry;
    return {
      provider,
      vehicle_id: vehicle.asset.id,
      ordinal,
      ...rest,
      ...customerRow(customer),
      performed_at: performedAt,
      due_date: dueDate,
      created_at: createdAt,
      updated_at: updatedAt,
    };
  });
  await insertRows(context.tx, 'checklist_entries', rows);
}
