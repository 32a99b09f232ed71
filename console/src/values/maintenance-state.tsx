import type { MaintenanceReport } from '@motorpool/client';
import type { IconName } from '../icons/icon.tsx';
import { useLocalization } from '../texts/texts-provider.tsx';
import { latenessOf } from './lateness.ts';
import { useNow } from './now.ts';
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

type Props = {
  report: Pick<MaintenanceReport, 'status' | 'dueDate' | 'dueOdometer'>;
  /** Of its vehicle, where it is known. */
  odometer?: number | undefined;
};

/** The state of planned work; of what is overdue, by how much. */
export function MaintenanceState({ report, odometer }: Props) {
  const words = useLocalization();
  const now = useNow();
  const { status } = report;
  // Where room is short, one measure says it.
  const [late] = status === 'overdue' ? latenessOf(report, odometer, now, words) : [];
  return (
    <StateBadge
      {...maintenanceLooks[status]}
      text={late ?? words.texts.maintenanceStates[status]}
    />
  );
}
