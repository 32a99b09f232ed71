import type { MaintenanceReport } from '@motorpool/client';
import type { IconName } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import { StateBadge, type StateTone } from './state-badge.tsx';

export const maintenanceLooks: Record<
  MaintenanceReport['status'],
  { tone: StateTone; icon: IconName }
> = {
  overdue: { tone: 'danger', icon: 'circle-alert' },
  due_soon: { tone: 'warning', icon: 'calendar-clock' },
  planned: { tone: 'neutral', icon: 'calendar' },
  done: { tone: 'neutral', icon: 'check' },
};

export function MaintenanceState({ status }: { status: MaintenanceReport['status'] }) {
  const { maintenanceStates } = useTexts();
  return <StateBadge {...maintenanceLooks[status]} text={maintenanceStates[status]} />;
}
