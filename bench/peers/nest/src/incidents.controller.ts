import { Body, Controller, NotFoundException, Param, Put, UseGuards } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { incidentAnswer } from './answers.js';
import { BearerGuard } from './bearer.guard.js';
import { Incident, IncidentDamage } from './entities.js';
import { IncidentRequest } from './requests.js';

@Controller('api/fleets/v1/:countryCode/:code/:vehicleId/incidents')
@UseGuards(BearerGuard)
export class IncidentsController {
  constructor(private readonly dataSource: DataSource) {}

  @Put(':id')
  async update(
    @Param('countryCode') countryCode: string,
    @Param('code') code: string,
    @Param('vehicleId') vehicleId: string,
    @Param('id') id: string,
    @Body() request: IncidentRequest,
  ) {
    const provider = `${countryCode}-${code}`;
    const { customer, damages, ...fields } = request;
    return this.dataSource.transaction(async (manager) => {
      const key = { provider, vehicleId, id };
      const before = await manager.findOne(Incident, {
        where: key,
        lock: { mode: 'pessimistic_write' },
      });
      if (!before) throw new NotFoundException();
      const changes = {
        version: before.version + 1,
        title: fields.title,
        customerCountryCode: customer?.mobilityProviderCountryCode ?? null,
        customerProviderCode: customer?.mobilityProviderCode ?? null,
        customerId: customer?.customerId ?? null,
        vehicleOperable: fields.vehicleOperable,
        incidentTimestamp:
          fields.incidentTimestamp === undefined ? null : new Date(fields.incidentTimestamp),
        location: fields.location ?? null,
        incidentType: fields.incidentType ?? null,
        cause: fields.cause ?? null,
        notes: fields.notes ?? null,
        description: fields.description ?? null,
        isResolved: fields.isResolved,
      };
      await manager.update(Incident, key, changes);
      await manager.delete(IncidentDamage, { provider, vehicleId, incidentId: id });
      const rows = damages.map((damage, index) => ({
        ...damage,
        provider,
        vehicleId,
        incidentId: id,
        ordinal: index + 1,
      }));
      if (rows.length > 0) await manager.insert(IncidentDamage, rows);
      return incidentAnswer({ ...before, ...changes }, rows);
    });
  }
}
