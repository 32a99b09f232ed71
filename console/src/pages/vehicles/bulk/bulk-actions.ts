import type { MaintenanceSchedule, Motorpool, Vehicle } from '@motorpool/client';
import type { IconName } from '../../../icons/icon.tsx';
import { isComplete, type WorkshopPlan } from './plan-fields.tsx';

export const bulkActions = ['activate', 'deactivate', 'plan', 'schedule', 'template'] as const;
export type BulkAction = (typeof bulkActions)[number];

export const bulkIcons: Record<BulkAction, IconName> = {
  activate: 'play',
  deactivate: 'pause',
  plan: 'calendar-clock',
  schedule: 'wrench',
  template: 'clipboard-check',
};

type Choice = {
  schedule?: MaintenanceSchedule | undefined;
  templateId?: string | undefined;
  plan: WorkshopPlan;
};

/** What an action does with one vehicle; undefined while its choice is not made. */
export function workOf(fleet: Motorpool, action: BulkAction, choice: Choice) {
  const { schedule, templateId, plan } = choice;
  if (action === 'activate' || action === 'deactivate')
    return ({ asset }: Vehicle) =>
      fleet.vehicles.patchAsset(asset.id, { active: action === 'activate' });
  if (action === 'template')
    return (
      templateId && (({ asset }: Vehicle) => fleet.checklist.applyTemplate(asset.id, templateId))
    );
  if (action === 'plan') {
    if (!isComplete(plan)) return undefined;
    const { notes, ...work } = { ...plan, title: plan.title.trim(), notes: plan.notes.trim() };
    return ({ asset }: Vehicle) =>
      fleet.maintenance.create(asset.id, { ...work, ...(notes && { notes }) });
  }
  if (!schedule) return undefined;
  const { id: _, createdAt: _created, updatedAt: _updated, vendor, model, ...report } = schedule;
  return ({ asset }: Vehicle) => fleet.maintenance.create(asset.id, report);
}
