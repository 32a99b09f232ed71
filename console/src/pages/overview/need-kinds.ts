import type { IconName } from '../../icons/icon.tsx';
import type { StateTone } from '../../values/state-badge.tsx';

/** What may need somebody today, the most urgent first. */
export const needKinds = [
  'mustNotDrive',
  'overdue',
  'batteryLow',
  'incident',
  'dueSoon',
  'invoice',
] as const;

export type NeedKind = (typeof needKinds)[number];

export const needLooks: Record<NeedKind, { tone: StateTone; icon: IconName }> = {
  mustNotDrive: { tone: 'danger', icon: 'ban' },
  overdue: { tone: 'danger', icon: 'alert-circle' },
  batteryLow: { tone: 'warning', icon: 'battery-2' },
  incident: { tone: 'warning', icon: 'alert-triangle' },
  dueSoon: { tone: 'warning', icon: 'calendar-due' },
  invoice: { tone: 'info', icon: 'file-invoice' },
};
