import type { Outcome, Reading } from './merge-readings.ts';

/** A message whose sender is known. */
export type VehicleReading = Reading & { vehicleId: string };

/** What became of it; a position that may not be kept is ignored. */
export type Ingested =
  | { result: Outcome; ignored?: ['location'] }
  | { result: 'rejected'; reason: 'unknown_vehicle' | 'position_not_kept' };
