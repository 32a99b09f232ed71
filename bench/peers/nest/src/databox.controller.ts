import { Body, Controller, HttpCode, Param, ParseArrayPipe, Post, UseGuards } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { BearerGuard } from './bearer.guard.js';
import { VehicleMoment, VehicleStatus } from './entities.js';
import { BoxMessage } from './requests.js';

const signals = [
  'odometer',
  'fuelLevel',
  'reach',
  'isLocked',
  'engineActive',
  'isCharging',
  'isPluggedIn',
] as const;
const columns = [
  'last_updated',
  'lat',
  'lng',
  'odometer',
  'fuel_level',
  'reach',
  'is_locked',
  'engine_active',
  'is_charging',
  'is_plugged_in',
];

/** A status and a history row per message, in one transaction; the newest message of a vehicle wins. */
@Controller('api/fleets/v1/:countryCode/:code/databox')
@UseGuards(BearerGuard)
export class DataboxController {
  constructor(private readonly dataSource: DataSource) {}

  @Post('messages')
  @HttpCode(200)
  async send(
    @Param('countryCode') countryCode: string,
    @Param('code') code: string,
    @Body(new ParseArrayPipe({ items: BoxMessage, whitelist: true, forbidNonWhitelisted: true }))
    messages: BoxMessage[],
  ) {
    const provider = `${countryCode}-${code}`;
    return this.dataSource.transaction(async (manager) => {
      const ids = [...new Set(messages.map(({ vehicleId }) => vehicleId))];
      const statuses = await manager.find(VehicleStatus, {
        where: { provider, vehicleId: In(ids) },
        order: { vehicleId: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      const byId = new Map(statuses.map((status) => [status.vehicleId, status]));
      const moments: Partial<VehicleMoment>[] = [];
      for (const { vehicleId, timestamp, location, ...values } of messages) {
        const status = byId.get(vehicleId);
        if (!status) continue;
        const time = new Date(timestamp);
        const { odometer, fuelLevel, isCharging, isPluggedIn } = values;
        moments.push({
          provider,
          vehicleId,
          time,
          odometer,
          fuelLevel,
          isCharging,
          isPluggedIn,
          ...location,
        });
        if (status.lastUpdated && time < status.lastUpdated) continue;
        for (const name of signals)
          if (values[name] !== undefined) Object.assign(status, { [name]: values[name] });
        Object.assign(status, location, { lastUpdated: time });
      }
      await manager
        .createQueryBuilder()
        .insert()
        .into(VehicleMoment)
        .values(moments)
        .orIgnore()
        .updateEntity(false)
        .execute();
      await manager
        .createQueryBuilder()
        .insert()
        .into(VehicleStatus)
        .values(statuses)
        .orUpdate(columns, ['provider', 'vehicle_id'])
        .updateEntity(false)
        .execute();
      const rejected = messages.filter(({ vehicleId }) => !byId.has(vehicleId)).length;
      return { counts: { accepted: messages.length - rejected, rejected } };
    });
  }
}
