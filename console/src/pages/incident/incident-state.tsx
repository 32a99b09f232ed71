import { useTexts } from '../../texts/texts-provider.tsx';
import { StateBadge } from '../../values/state-badge.tsx';

type Incident = { isResolved: boolean; vehicleOperable: boolean };

const looks = {
  mustNotDrive: { tone: 'danger', icon: 'ban' },
  open: { tone: 'warning', icon: 'circle-alert' },
  resolved: { tone: 'neutral', icon: 'circle-check' },
} as const;

export const stateOf = ({ isResolved, vehicleOperable }: Incident) =>
  isResolved ? 'resolved' : vehicleOperable ? 'open' : 'mustNotDrive';

export function IncidentState({ incident }: { incident: Incident }) {
  const { incidentStates } = useTexts();
  const state = stateOf(incident);
  return <StateBadge {...looks[state]} text={incidentStates[state]} />;
}
