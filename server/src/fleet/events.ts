import type { Publisher } from '../platform/events/publisher.ts';
import type { AnnouncedFile } from './announced-file.ts';
import type { Cost } from './cost.ts';

/** The domain events. They are published in the transaction of the change, once per batch. */
export type FleetEvents = {
  /** The profile of the provider was overwritten; `fields` are those of it that changed, of those that others depend on. */
  profileChanged: { providerId: string; fields: readonly ProfileField[] };
  /** Vehicles were created or overwritten. */
  vehiclesChanged: VehiclesEvent;
  /** Positions of these vehicles may no longer be stored: those that are have to be erased. */
  positionTrackingDisabled: VehiclesEvent;
  /** A customer was erased who drove vehicles in these periods, whose positions have to be erased; the statuses are locked. */
  driverErased: { providerId: string; periods: readonly DrivenPeriod[] };
  /** Vehicles were deleted; rows that reference them are deleted already. */
  vehiclesDeleted: VehiclesEvent;
  /** Messages were merged with what was known. Readings that are merely newer are appended without an event. */
  readingsMerged: { providerId: string; changes: readonly MergedReadings[] };
  /** Odometers of the history have to be judged again from these times on, in milliseconds. */
  judgingDeferred: {
    providerId: string;
    walks: readonly { vehicleId: string; from: number; until: number }[];
  };
  /** The next inspections were estimated again. */
  inspectionEstimated: VehiclesEvent;
  /** Planned maintenance was done. */
  maintenanceCompleted: {
    providerId: string;
    vehicleId: string;
    reportId: string;
    /** The id of its entry in the service history: one for each report and day. */
    entryId: string;
    source: 'manual' | 'schedule' | 'vehicle' | 'inspection';
    title: string;
    type: 'service' | 'inspection' | 'repair' | 'tyres' | 'other';
    /** The calendar date on which it was done. */
    date: string;
    odometer?: number;
    /** Whether somebody gave the odometer: otherwise the service found it. */
    isOdometerGiven: boolean;
    notes?: string;
    cost?: Cost;
    files: readonly AnnouncedFile[];
  };
};

export type ProfileField = 'timeZone' | 'defaultVehicleClass' | 'defaultUsage';

/** From a time on and before another. */
export type DrivenPeriod = { vehicleId: string; from: string; to: string };

export type Events = Publisher<FleetEvents>;

type VehiclesEvent = { providerId: string; vehicleIds: readonly string[] };

/** What messages changed of one vehicle, whose status row is locked. */
export type MergedReadings = {
  vehicleId: string;
  before: SignalState;
  after: SignalState;
  /** By time in milliseconds, the moments of the history that are new or have changed, without odometers in doubt. */
  changedMoments: ReadonlyMap<number, Moment>;
  /** By time, the odometers of messages that were judged. */
  judgedOdometers: ReadonlyMap<number, { odometer: number; confirmed: boolean | null }>;
  /** Where other odometers of the history are judged otherwise than before, in the order of time: a period may be all of it. */
  rejudgedOdometers: readonly Period[];
  /** Whether the odometer has reached the value from which maintenance has to be planned again. */
  replanDue: boolean;
};

/** From a time on and until another, both included, in milliseconds. */
export type Period = { first: number; last: number };

export type SignalState = {
  signals: Moment & { nextServiceDate?: string };
  /** When each signal was measured, in milliseconds. */
  times: Partial<Record<keyof Moment, number>>;
  /** The odometer at which the vehicle's own next service is due. */
  nextServiceOdometer?: number | undefined;
};

/** What was measured at one time, as far as the history stores it. */
export type Moment = {
  odometer?: number;
  /** Of the tank; of the battery where the vehicle has no tank and `stateOfCharge` is absent. */
  fuelLevel?: number;
  stateOfCharge?: number;
  location?: { lat: number; lng: number };
  isCharging?: boolean;
  isPluggedIn?: boolean;
  energyMeter?: number;
};
