import Type, { type Static } from 'typebox';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import { clockLeadMs } from '../clock-lead.ts';
import { exampleVehicle, plausibilityOf, withoutBounds } from '../vehicles/public.ts';
import { extraProperty } from './extra-signals.ts';
import type { Reading } from './merge-readings.ts';
import { type Signals, signalNames, signalProperties } from './signals.ts';

const timestamp = Type.String({
  format: 'date-time',
  description:
    'When the signals were measured. At most 5 minutes ahead of the service, and not older than the history reaches back.',
  examples: [exampleVehicle.status.lastUpdated ?? ''],
});

/** The message of a vehicle: any of its signals, measured at one time. */
export const StatusMessageSchema = Type.Object(
  { timestamp, ...withoutBounds(signalProperties), extra: extraProperty },
  { $id: 'StatusMessage', additionalProperties: false },
);
type StatusMessage = Static<typeof StatusMessageSchema>;

/** The same with its sender: the vehicle, or the box that is paired with it. */
export const DataboxMessageSchema = Type.Object(
  {
    vehicleId: Type.Optional(
      Type.String({ maxLength: 200, description: 'Whose message it is. Either this or serial.' }),
    ),
    serial: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The box that sends it, which is paired with a vehicle. Either this or vehicleId.',
      }),
    ),
    ...StatusMessageSchema.properties,
  },
  { $id: 'DataboxMessage', additionalProperties: false },
);
export type DataboxMessage = Static<typeof DataboxMessageSchema>;

const {
  lastUpdated = '',
  location,
  odometer,
  fuelLevel,
  isLocked,
  isCharging,
} = exampleVehicle.status;
export const exampleStatusMessage = {
  timestamp: lastUpdated,
  location,
  odometer,
  fuelLevel,
  isLocked,
  isCharging,
};

export const exampleDataboxMessages: DataboxMessage[] = [
  { vehicleId: exampleVehicle.asset.id, ...exampleStatusMessage },
  {
    serial: 'BX-0001',
    timestamp: '2026-11-15T08:31:00.000Z',
    odometer: 45_211,
    reach: 311,
  },
];

const implausibleSignals = plausibilityOf(signalProperties);

/** The plausible signals of a message, and why the others are not. */
export type ReadMessage = { reading: Reading; implausible: ValidationIssue[] };

export function readMessage(message: StatusMessage & DataboxMessage): ReadMessage {
  const time = Date.parse(toMilliseconds(message.timestamp));
  const implausible = implausibleSignals(message);
  if (implausible.length === 0) return { reading: { time, signals: message }, implausible };
  const signals: Record<string, unknown> = { ...message };
  for (const { pointer } of implausible) delete signals[pointer.slice(1)];
  return { reading: { time, signals }, implausible };
}

export function hasSignals(signals: Signals): boolean {
  if (signalNames.some((name) => signals[name] !== undefined)) return true;
  return signals.extra !== undefined && Object.keys(signals.extra).length > 0;
}

/** What is wrong with a message beyond its schema. */
export function signalIssues(message: StatusMessage): ValidationIssue[] {
  if (hasSignals(message)) return [];
  const detail = `At least one signal is required: known are ${signalNames.join(', ')}, and any others in extra.`;
  return [{ pointer: '', detail }];
}

/** The same for one that names its sender. */
export function messageIssues(message: DataboxMessage): ValidationIssue[] {
  const { vehicleId, serial } = message;
  if ((vehicleId === undefined) !== (serial === undefined)) return signalIssues(message);
  const detail = 'Either vehicleId or serial is required, and not both.';
  return [
    { pointer: serial === undefined ? '/vehicleId' : '/serial', detail },
    ...signalIssues(message),
  ];
}

const dayMs = 86_400_000;

/** What is wrong with a time that may not be ahead: all later ones would seem old. */
export function futureIssue(name: string, time: number, now: number): string | undefined {
  if (time <= now + clockLeadMs) return undefined;
  return `${name} must be at most ${clockLeadMs / 60_000} minutes ahead of the service's clock, which says ${new Date(now).toISOString()}.`;
}

export type TimeIssue = { reason: 'in_future' | 'too_old'; detail: string };

/** What is wrong with the time of a message that is received now. */
export function timeIssue(time: number, historyDays: number, now: number): TimeIssue | undefined {
  const inFuture = futureIssue('timestamp', time, now);
  if (inFuture !== undefined) return { reason: 'in_future', detail: inFuture };
  const oldest = now - historyDays * dayMs;
  if (time < oldest) {
    return {
      reason: 'too_old',
      detail: `timestamp must not be before ${new Date(oldest).toISOString()}: the history is kept for ${historyDays} days.`,
    };
  }
  return undefined;
}
