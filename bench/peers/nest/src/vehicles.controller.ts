import {
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, type Repository } from 'typeorm';
import { pageAnswer, sessionAnswer, vehicleAnswer } from './answers.js';
import { BearerGuard } from './bearer.guard.js';
import { ChargingSession, Vehicle } from './entities.js';
import { ChargingHistoryRequest, FindVehiclesRequest, sortableFields } from './requests.js';

const textColumns = ['vin', 'licensePlate', 'vendor', 'model', 'variant'];

@Controller('api/fleets/v1/:countryCode/:code')
@UseGuards(BearerGuard)
export class VehiclesController {
  constructor(
    @InjectRepository(Vehicle) private readonly vehicles: Repository<Vehicle>,
    @InjectRepository(ChargingSession) private readonly sessions: Repository<ChargingSession>,
  ) {}

  @Post('vehicles')
  @HttpCode(200)
  async find(
    @Param('countryCode') countryCode: string,
    @Param('code') code: string,
    @Body() { searchText, sorting = [], pagination }: FindVehiclesRequest,
  ) {
    const { pageNumber, pageSize } = pagination;
    const found = this.vehicles
      .createQueryBuilder('vehicle')
      .where('vehicle.provider = :provider', { provider: `${countryCode}-${code}` });
    if (searchText) {
      const text = `%${searchText.replaceAll(/[\\%_]/g, '\\$&')}%`;
      found.andWhere(
        new Brackets((any) => {
          for (const column of textColumns) any.orWhere(`vehicle.${column} ILIKE :text`, { text });
        }),
      );
    }
    // The count needs no status. `limit` instead of `take`, and an inner join, as every vehicle has one
    // status: so the database limits the page, and can use an index of the statuses for the order.
    const page = found.clone().innerJoinAndSelect('vehicle.status', 'status');
    for (const { field, direction } of sorting) {
      const order = direction === 'desc' ? 'DESC' : 'ASC';
      page.addOrderBy(sortableFields[field] as string, order, 'NULLS LAST');
    }
    page
      .addOrderBy('vehicle.id')
      .offset(pageNumber * pageSize)
      .limit(pageSize);
    const [total, vehicles] = await Promise.all([found.getCount(), page.getMany()]);
    return pageAnswer(vehicles.map(vehicleAnswer), pagination, total);
  }

  @Get(':vehicleId')
  async read(
    @Param('countryCode') countryCode: string,
    @Param('code') code: string,
    @Param('vehicleId') id: string,
  ) {
    const vehicle = await this.vehicles.findOne({
      where: { provider: `${countryCode}-${code}`, id },
      relations: { status: true },
    });
    if (!vehicle) throw new NotFoundException();
    return vehicleAnswer(vehicle);
  }

  @Post(':vehicleId/charging')
  @HttpCode(200)
  async chargingHistory(
    @Param('countryCode') countryCode: string,
    @Param('code') code: string,
    @Param('vehicleId') vehicleId: string,
    @Body() { pagination }: ChargingHistoryRequest,
  ) {
    const provider = `${countryCode}-${code}`;
    const [sessions, total] = await this.sessions.findAndCount({
      where: { provider, vehicleId, superseded: false },
      order: { fromTime: 'DESC', id: 'ASC' },
      skip: pagination.pageNumber * pagination.pageSize,
      take: pagination.pageSize,
    });
    if (total === 0 && !(await this.vehicles.existsBy({ provider, id: vehicleId }))) {
      throw new NotFoundException();
    }
    return pageAnswer(sessions.map(sessionAnswer), pagination, total);
  }
}
