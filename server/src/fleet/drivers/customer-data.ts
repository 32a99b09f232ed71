import Type from 'typebox';
import { clockLeadMs } from '../clock-lead.ts';
import { type CustomerData, isCustomer, readOfCustomer } from '../customer-data.ts';
import type { DrivenPeriod } from '../events.ts';
import { exampleVehicle, lockVehicles, maxVehicleIdLength } from '../vehicles/public.ts';
import {
  type AssignmentRow,
  AssignmentSchema,
  assignmentOf,
  assignments,
  exampleAssignment,
} from './assignment.ts';

const { customer: _, ...period } = AssignmentSchema.properties;

const VehicleAssignmentSchema = Type.Object(
  {
    vehicleId: Type.String({
      maxLength: maxVehicleIdLength,
      description: 'The id of the vehicle.',
      examples: [exampleVehicle.asset.id],
    }),
    ...period,
  },
  { $id: 'VehicleAssignment', additionalProperties: false },
);

type DrivenRow = AssignmentRow & { vehicle_id: string };

export const drivenVehicles: CustomerData = {
  tables: ['drivers', 'past_assignments'],
  records: {
    name: 'vehicles',
    description:
      'The vehicles that the customer drives and has driven, the last that was added first.',
    schema: VehicleAssignmentSchema,
    example: {
      vehicleId: exampleVehicle.asset.id,
      addedAt: exampleAssignment.addedAt,
      removedAt: exampleAssignment.removedAt,
    },
    async read(tx, _provider, customer, limit, budget) {
      const searchable = {
        ...assignments,
        columns: `a.vehicle_id, ${assignments.columns}`,
        id: 'a.vehicle_id, a.id',
      };
      const found = await readOfCustomer<DrivenRow>(tx, searchable, 'a', customer, limit, budget);
      const itemOf = (row: DrivenRow) => {
        const { customer: _, ...dates } = assignmentOf(row);
        return { vehicleId: row.vehicle_id, ...dates };
      };
      return { rows: found.rows, itemOf, totalEntries: found.totalEntries };
    },
  },
  async erase(tx, customer, { limit, now, erasesPositions, events }) {
    const [providerId] = customer;
    const most = erasesPositions ? Math.min(limit, maxWithPositions) : limit;
    const found = await tx.query<{ vehicle_id: string }>(selectVehicles, [...customer, most]);
    const vehicleIds = found.map(({ vehicle_id }) => vehicle_id);
    if (erasesPositions) await lockVehicles(tx, providerId, vehicleIds);
    const values = [...customer, most, vehicleIds];
    const open = await tx.query<DrivenPeriod>(closeAnonymously, [...values, now]);
    const past = await tx.query<DrivenPeriod>(forgetDriver, values);
    const periods = [...open.map(withLead), ...past];
    if (erasesPositions && periods.length > 0) {
      await events.publish(tx, 'driverErased', { providerId, periods });
    }
    return { records: periods.length, isFull: found.length === most || past.length === most };
  },
};

/** With what was received of one that has not ended from a box whose clock is ahead. */
function withLead(period: DrivenPeriod): DrivenPeriod {
  const to = new Date(Date.parse(period.to) + clockLeadMs).toISOString();
  return { ...period, to };
}

// Its locks keep messages of these vehicles waiting.
const maxWithPositions = 20;

const selectVehicles = `
  select distinct vehicle_id from (
    select d.vehicle_id from drivers d where ${isCustomer('d')}
    union all
    select p.vehicle_id from past_assignments p where ${isCustomer('p')}
  ) driven
  order by vehicle_id limit $5`;

function periodOf(alias: string): string {
  return `${alias}.vehicle_id as "vehicleId", ${alias}.added_at as "from", ${alias}.removed_at as "to"`;
}

// Vehicles are locked first, as by their deletion.
const closeAnonymously = `
  with chosen as (
    select d.vehicle_id from drivers d join vehicles v on v.provider = $1 and v.id = d.vehicle_id
    where ${isCustomer('d')} and d.vehicle_id = any($6::text[])
    order by d.vehicle_id limit $5 for key share of v
  ), removed as (
    delete from drivers d using chosen where ${isCustomer('d')} and d.vehicle_id = chosen.vehicle_id
    returning d.vehicle_id, d.added_at
  )
  insert into past_assignments (provider, vehicle_id, added_at, removed_at)
  select $1, vehicle_id, added_at, greatest(added_at, $7) from removed
  returning ${periodOf('past_assignments')}`;

const forgetDriver = `
  with chosen as (
    select vehicle_id, id from past_assignments p
    where ${isCustomer('p')} and p.vehicle_id = any($6::text[])
    order by vehicle_id, id limit $5 for update
  )
  update past_assignments p
  set customer_country_code = null, customer_provider_code = null, customer_id = null
  from chosen where p.provider = $1 and p.vehicle_id = chosen.vehicle_id and p.id = chosen.id
  returning ${periodOf('p')}`;
