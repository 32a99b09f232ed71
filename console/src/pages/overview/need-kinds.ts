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
  overdue: { tone: 'danger', icon: 'circle-alert' },
  batteryLow: { tone: 'warning', icon: 'battery-medium' },
  incident: { tone: 'warning', icon: 'triangle-alert' },
  dueSoon: { tone: 'warning', icon: 'calendar-clock' },
  invoice: { tone: 'info', icon: 'receipt-text' },
};
