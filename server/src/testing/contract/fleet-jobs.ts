import { closeSilentCharging } from '../../fleet/charging/close-silent-charging.ts';
import { refreshFleet } from '../../fleet/maintenance/refresh-fleet.ts';
import { reviewFleet } from '../../fleet/maintenance/review-fleet.ts';
import type { FleetJob } from './observer.ts';

/** The jobs that are done for the whole fleet of a provider. */
export const fleetJobs: readonly FleetJob[] = [closeSilentCharging, refreshFleet, reviewFleet];
