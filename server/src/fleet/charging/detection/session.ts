import type { Metering } from './metering.ts';

/** The signals of charging at one moment. */
export type ChargingSample = {
  /** In milliseconds. */
  time: number;
  isPluggedIn?: boolean;
  isCharging?: boolean;
  /** The state of charge in percent, never the level of a tank. */
  level?: number;
  /** The total energy charged, as the vehicle counts it, in kWh. */
  energyMeter?: number;
  /** In km. */
  odometer?: number;
  location?: { lat: number; lng: number };
};

export type Reading = { value: number; time: number };
export type Position = { lat: number; lng: number; time: number };

/** A session that the next sample may continue. */
export type Session = {
  from: number;
  /** The earliest time that its beginning depends on: the start, or that of an earlier value. */
  since: number;
  fromLevel?: number;
  /** Where it charges, and the odometer there: measured in it, or else last known before. */
  location?: Position;
  odometer?: Reading;
  lastSignal: number;
  /** The last level that was measured in it. */
  level?: number;
  metering?: Metering;
  /** While it does not charge: what the session is, unless it continues. */
  pause?: Pause;
};

export type Pause = Pick<Session, 'fromLevel' | 'level' | 'metering'> & { time: number };

/** What was last known, in or out of a session. */
export type LastKnown = {
  level?: Reading;
  location?: Position;
  odometer?: Reading;
  meter?: Reading;
};
