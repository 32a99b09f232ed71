import { closeSilentCharging } from '../../fleet/charging/close-silent-charging.ts';
import { redetectSessions } from '../../fleet/charging/redetect-sessions.ts';
import { estimateFleet, estimateOutdated } from '../../fleet/inspection/estimate-jobs.ts';
import { planFleet } from '../../fleet/maintenance/plan-fleet.ts';
import { refreshFleet } from '../../fleet/maintenance/refresh-fleet.ts';
import { eraseExpiredPositions } from '../../fleet/telemetry/erase-expired-positions.ts';
import type { FleetJob } from './observer.ts';

/** The jobs that process the whole fleet of a provider. */
export const fleetJobs: readonly FleetJob[] = [
  closeSilentCharging,
  eraseExpiredPositions,
  estimateFleet,
  estimateOutdated,
  planFleet,
  redetectSessions,
  refreshFleet,
];
