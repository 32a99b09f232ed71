import type { Outcome, Reading } from './merge-readings.ts';

/** A message whose sender is known. */
export type VehicleReading = Reading & { vehicleId: string };

/** Its result; a position that may not be stored is ignored, and an odometer that falls or leaps is doubtful. */
export type Ingested =
  | { result: Outcome; ignored?: ['location']; doubtful?: ['odometer'] }
  | {
      result: 'rejected';
      reason: 'unknown_vehicle' | 'inactive_vehicle' | 'position_not_kept';
    };
