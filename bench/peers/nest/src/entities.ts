import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

const number = (name: string) => ({ name, type: 'double precision', nullable: true }) as const;
const flag = (name: string) => ({ name, type: 'boolean', nullable: true }) as const;
const text = (name: string) => ({ name, type: 'text', nullable: true }) as const;

@Entity({ schema: 'nest', name: 'vehicle_statuses' })
export class VehicleStatus {
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn({ name: 'vehicle_id', type: 'text' }) vehicleId: string;
  @Column({ name: 'last_updated', type: 'timestamptz', nullable: true }) lastUpdated: Date | null;
  @Column(number('lat')) lat: number | null;
  @Column(number('lng')) lng: number | null;
  @Column(flag('is_charging')) isCharging: boolean | null;
  @Column(flag('is_locked')) isLocked: boolean | null;
  @Column(flag('windows_closed')) windowsClosed: boolean | null;
  @Column(flag('doors_closed')) doorsClosed: boolean | null;
  @Column(flag('engine_active')) engineActive: boolean | null;
  @Column(flag('headlights_active')) headlightsActive: boolean | null;
  @Column(flag('immobilizer_active')) immobilizerActive: boolean | null;
  @Column(flag('is_plugged_in')) isPluggedIn: boolean | null;
  @Column(number('odometer')) odometer: number | null;
  @Column(number('reach')) reach: number | null;
  @Column(number('fuel_level')) fuelLevel: number | null;
  @Column(number('tire_pressure_front_left')) tirePressureFrontLeft: number | null;
  @Column(number('tire_pressure_front_right')) tirePressureFrontRight: number | null;
  @Column(number('tire_pressure_rear_left')) tirePressureRearLeft: number | null;
  @Column(number('tire_pressure_rear_right')) tirePressureRearRight: number | null;
  @Column({ name: 'next_service_date', type: 'date', nullable: true }) nextServiceDate:
    | string
    | null;
  @Column(number('next_service_distance')) nextServiceDistance: number | null;
}

@Entity({ schema: 'nest', name: 'vehicles' })
export class Vehicle {
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn('text') id: string;
  @Column({ name: 'blob_uuid', type: 'uuid', nullable: true }) blobUuid: string | null;
  @Column(text('default_image')) defaultImage: string | null;
  @Column('boolean') active: boolean;
  @Column(text('vin')) vin: string | null;
  @Column(text('vendor')) vendor: string | null;
  @Column(text('model')) model: string | null;
  @Column(text('variant')) variant: string | null;
  @Column(text('license_plate')) licensePlate: string | null;
  @Column(number('seats')) seats: number | null;
  @Column({ name: 'first_registration_date', type: 'date', nullable: true })
  firstRegistrationDate: string | null;
  @Column(number('build_year')) buildYear: number | null;
  @Column(number('ev_battery_capacity')) evBatteryCapacity: number | null;
  @Column(number('ice_tank_capacity')) iceTankCapacity: number | null;
  @Column(flag('track_geolocation')) trackGeolocation: boolean | null;

  @OneToOne(() => VehicleStatus)
  @JoinColumn([
    { name: 'provider', referencedColumnName: 'provider' },
    { name: 'id', referencedColumnName: 'vehicleId' },
  ])
  status: VehicleStatus | null;
}

@Entity({ schema: 'nest', name: 'vehicle_history' })
export class VehicleMoment {
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn({ name: 'vehicle_id', type: 'text' }) vehicleId: string;
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) time: Date;
  @Column(number('odometer')) odometer: number | null;
  @Column(number('fuel_level')) fuelLevel: number | null;
  @Column(number('lat')) lat: number | null;
  @Column(number('lng')) lng: number | null;
  @Column(flag('is_charging')) isCharging: boolean | null;
  @Column(flag('is_plugged_in')) isPluggedIn: boolean | null;
}

@Entity({ schema: 'nest', name: 'charging_sessions' })
export class ChargingSession {
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn({ name: 'vehicle_id', type: 'text' }) vehicleId: string;
  @PrimaryColumn('text') id: string;
  @Column({ name: 'from_time', type: 'timestamptz' }) fromTime: Date;
  @Column(number('from_level')) fromLevel: number | null;
  @Column({ name: 'to_time', type: 'timestamptz', nullable: true }) toTime: Date | null;
  @Column(number('to_level')) toLevel: number | null;
  @Column(number('lat')) lat: number | null;
  @Column(number('lng')) lng: number | null;
  @Column(number('charged_kwh')) chargedKwh: number | null;
  @Column({ name: 'energy_basis', type: 'text' }) energyBasis: string;
  @Column('boolean') superseded: boolean;
}

@Entity({ schema: 'nest', name: 'incidents' })
export class Incident {
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn({ name: 'vehicle_id', type: 'text' }) vehicleId: string;
  @PrimaryColumn('uuid') id: string;
  @Column('integer') version: number;
  @Column({ name: 'ocr_status', type: 'text' }) ocrStatus: string;
  @Column('text') title: string;
  @Column(text('customer_country_code')) customerCountryCode: string | null;
  @Column(text('customer_provider_code')) customerProviderCode: string | null;
  @Column({ name: 'customer_id', type: 'uuid', nullable: true }) customerId: string | null;
  @Column({ name: 'vehicle_operable', type: 'boolean' }) vehicleOperable: boolean;
  @Column({ name: 'incident_timestamp', type: 'timestamptz', nullable: true })
  incidentTimestamp: Date | null;
  @Column({ name: 'report_timestamp', type: 'timestamptz' }) reportTimestamp: Date;
  @Column(text('location')) location: string | null;
  @Column(text('incident_type')) incidentType: string | null;
  @Column(text('cause')) cause: string | null;
  @Column(text('notes')) notes: string | null;
  @Column(text('description')) description: string | null;
  @Column({ name: 'is_resolved', type: 'boolean' }) isResolved: boolean;
}

@Entity({ schema: 'nest', name: 'incident_damages' })
export class IncidentDamage {
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn({ name: 'vehicle_id', type: 'text' }) vehicleId: string;
  @PrimaryColumn({ name: 'incident_id', type: 'uuid' }) incidentId: string;
  @PrimaryColumn('integer') ordinal: number;
  @Column('text') title: string;
  @Column({ name: 'damage_type', type: 'text' }) damageType: string;
  @Column('text') severity: string;
  @Column('boolean') repaired: boolean;
  @Column('text') position: string;
}
