import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsLatitude,
  IsLongitude,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

export class PageRequest {
  @IsOptional() @IsInt() @Min(0) pageNumber = 0;
  @IsOptional() @IsInt() @Min(1) @Max(1_000) pageSize = 100;
}

/** The fields of a vehicle that the peer sorts by, and where they are. */
export const sortableFields: Record<string, string> = {
  'asset.id': 'vehicle.id',
  'information.vendor': 'vehicle.vendor',
  'information.model': 'vehicle.model',
  'status.odometer': 'status.odometer',
  'status.fuelLevel': 'status.fuelLevel',
};

export class Sorting {
  @IsIn(Object.keys(sortableFields)) field: string;
  @IsOptional() @IsIn(['asc', 'desc']) direction: 'asc' | 'desc' = 'asc';
}

export class FindVehiclesRequest {
  @IsOptional() @IsString() @MaxLength(200) searchText?: string;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ValidateNested({ each: true })
  @Type(() => Sorting)
  sorting?: Sorting[];
  @IsOptional() @ValidateNested() @Type(() => PageRequest) pagination = new PageRequest();
}

export class ChargingHistoryRequest {
  @IsOptional() @ValidateNested() @Type(() => PageRequest) pagination = new PageRequest();
}

export class Customer {
  @IsString() @Length(2, 2) mobilityProviderCountryCode: string;
  @IsString() @Length(3, 3) mobilityProviderCode: string;
  @IsUUID() customerId: string;
}

export class Damage {
  @IsString() @MaxLength(10_000) title: string;
  @IsString() @MaxLength(10_000) damageType: string;
  @IsIn(['light', 'moderate', 'high']) severity: string;
  @IsBoolean() repaired: boolean;
  @IsString() @MaxLength(100) position: string;
}

export class IncidentRequest {
  @IsString() @MaxLength(10_000) title: string;
  @IsOptional() @ValidateNested() @Type(() => Customer) customer?: Customer;
  @IsBoolean() vehicleOperable: boolean;
  @IsOptional() @IsISO8601({ strict: true }) incidentTimestamp?: string;
  @IsOptional() @IsString() @MaxLength(10_000) location?: string;
  @IsOptional() @IsString() @MaxLength(10_000) incidentType?: string;
  @IsOptional() @IsString() @MaxLength(10_000) cause?: string;
  @IsOptional() @IsString() @MaxLength(10_000) notes?: string;
  @IsOptional() @IsString() @MaxLength(10_000) description?: string;
  @IsBoolean() isResolved: boolean;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1_000)
  @ValidateNested({ each: true })
  @Type(() => Damage)
  damages: Damage[] = [];
}

export class Location {
  @IsLatitude() lat: number;
  @IsLongitude() lng: number;
}

export class BoxMessage {
  @IsString() @MaxLength(200) vehicleId: string;
  @IsISO8601({ strict: true }) timestamp: string;
  @IsOptional() @ValidateNested() @Type(() => Location) location?: Location;
  @IsOptional() @IsNumber() @Min(0) odometer?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(100) fuelLevel?: number;
  @IsOptional() @IsNumber() @Min(0) reach?: number;
  @IsOptional() @IsBoolean() isLocked?: boolean;
  @IsOptional() @IsBoolean() engineActive?: boolean;
  @IsOptional() @IsBoolean() isCharging?: boolean;
  @IsOptional() @IsBoolean() isPluggedIn?: boolean;
}
