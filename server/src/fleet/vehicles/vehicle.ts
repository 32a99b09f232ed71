import Type, { type Static } from 'typebox';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { defaultImageFolder, defaultImageOf } from './drawings/default-image.ts';

// A field is declared here and nowhere else. Its column, its type in filters and files, and the example
// of a vehicle follow from its schema (docs/decisions/0004-search.md).
const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });
const number = (
  description: string,
  options: { minimum?: number; maximum?: number; examples?: [number] },
) => Type.Number({ description, ...options });
const flag = (description: string, example: boolean) =>
  Type.Boolean({ description, examples: [example] });
const date = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });
const tyre = (wheel: string, example: number) =>
  number(`Pressure of the ${wheel} tyre in bar.`, { minimum: 0, maximum: 16, examples: [example] });

/** Its codes, its own code, and two asterisks. */
export const maxVehicleIdLength = 71;

const imageAddress = {
  format: 'uri-reference',
  maxLength: 2_000,
  pattern: '^[^\\u0000-\\u001f]*$',
  examples: [defaultImageOf({ vendor: 'VW', model: 'ID.3' })],
};

export const AssetSchema = Type.Object(
  {
    id: Type.String({
      maxLength: maxVehicleIdLength,
      description:
        "The vehicle's id: country code, provider code and vehicle code, joined by asterisks.",
      examples: ['DE*ABC*V0001'],
    }),
    assetProviderCountryCode: Type.String({ minLength: 2, maxLength: 2, examples: ['DE'] }),
    assetProviderCode: Type.String({ minLength: 3, maxLength: 3, examples: ['ABC'] }),
    blobUuid: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Names the image that was uploaded (putVehicleImage); absent without one.',
      }),
    ),
    defaultImage: Type.Optional(
      Type.String({
        ...imageAddress,
        description:
          'URL of an image that is loaded without a token: the one that the vehicle was written with, or a drawing of its body ' +
          'type, whose address is relative to that of the service.',
      }),
    ),
    active: flag('Whether the vehicle is in service.', true),
  },
  { additionalProperties: false },
);

export const InformationSchema = Type.Object(
  {
    vin: Type.Optional(text('Vehicle identification number.', 'WVWZZZE1ZNP012345')),
    vendor: Type.Optional(text('Make.', 'VW')),
    model: Type.Optional(text('Model.', 'ID.3')),
    variant: Type.Optional(text('Variant.', 'Pro S 77 kWh')),
    licensePlate: Type.Optional(text('Licence plate.', 'B-MP 123E')),
    seats: Type.Optional(
      number('Seats, the driver’s included.', { minimum: 0, maximum: 1_000, examples: [5] }),
    ),
    firstRegistrationDate: Type.Optional(date('Date of the first registration.', '2022-03-01')),
    buildYear: Type.Optional(
      number('Year of manufacture.', { minimum: 1_800, maximum: 9_999, examples: [2022] }),
    ),
    evBatteryCapacity: Type.Optional(
      number('Capacity of the traction battery in kWh.', { minimum: 0, examples: [77] }),
    ),
    // Without an example: that of a vehicle is a battery car.
    iceTankCapacity: Type.Optional(number('Capacity of the fuel tank in litres.', { minimum: 0 })),
    trackGeolocation: Type.Optional(
      flag('Whether positions may be stored; false means that none ever is.', true),
    ),
  },
  { additionalProperties: false },
);

const latitude = { minimum: -90, maximum: 90 };
const longitude = { minimum: -180, maximum: 180 };
const fuelLevel =
  'Level in percent, 0 to 100: of the tank, or the state of charge of a battery vehicle.';
const kilometres = { minimum: 0, maximum: 10_000_000 };
const serviceDistance = 'Distance to the next service in km; negative when it is overdue.';

/**
 * The status of a vehicle: every property but the first is a signal of its telemetry. Its bounds are those of a plausible
 * value: what is beyond them is not stored.
 */
export const StatusSchema = Type.Object(
  {
    lastUpdated: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the newest signal was measured.',
        examples: ['2026-11-15T08:30:00.000Z'],
      }),
    ),
    location: Type.Optional(
      Type.Object(
        {
          lat: number('Latitude in degrees.', { ...latitude, examples: [52.51704] }),
          lng: number('Longitude in degrees.', { ...longitude, examples: [13.38886] }),
        },
        { additionalProperties: false },
      ),
    ),
    isCharging: Type.Optional(flag('Whether the battery is being charged.', false)),
    isLocked: Type.Optional(flag('Whether the vehicle is locked.', true)),
    windowsClosed: Type.Optional(flag('Whether all windows are closed.', true)),
    doorsClosed: Type.Optional(flag('Whether all doors are closed.', true)),
    engineActive: Type.Optional(flag('Whether the engine or motor is on.', false)),
    headlightsActive: Type.Optional(flag('Whether the headlights are on.', false)),
    immobilizerActive: Type.Optional(flag('Whether the immobilizer is active.', true)),
    isPluggedIn: Type.Optional(flag('Whether a charging cable is plugged in.', false)),
    odometer: Type.Optional(number('Odometer in km.', { ...kilometres, examples: [45_210] })),
    reach: Type.Optional(
      number('Remaining range in km.', { minimum: 0, maximum: 10_000, examples: [312] }),
    ),
    fuelLevel: Type.Optional(number(fuelLevel, { minimum: 0, maximum: 100, examples: [74] })),
    tirePressureFrontLeft: Type.Optional(tyre('front left', 2.5)),
    tirePressureFrontRight: Type.Optional(tyre('front right', 2.5)),
    tirePressureRearLeft: Type.Optional(tyre('rear left', 2.4)),
    tirePressureRearRight: Type.Optional(tyre('rear right', 2.4)),
    nextServiceDate: Type.Optional(date('When the next service is due.', '2027-03-01')),
    nextServiceDistance: Type.Optional(
      number(serviceDistance, { minimum: -1_000_000, maximum: 1_000_000, examples: [8_400] }),
    ),
  },
  { $id: 'VehicleStatus', additionalProperties: false },
);

/** The Vehicle item of the interface. A value that is not known is absent, never null. */
export const VehicleSchema = Type.Object(
  { asset: AssetSchema, information: InformationSchema, status: StatusSchema },
  { $id: 'Vehicle', additionalProperties: false },
);
export type Vehicle = Static<typeof VehicleSchema>;

const ofPath = Type.Optional(
  Type.Unknown({
    description:
      'Accepted, so that what was read can be sent back: 400 unless it is that of the path.',
    readOnly: true,
  }),
);

/** What a client may write. Its id and codes come from the path, its status from the vehicle. */
export const VehicleRequestSchema = Type.Object(
  {
    asset: Type.Optional(
      Type.Object(
        {
          id: ofPath,
          assetProviderCountryCode: ofPath,
          assetProviderCode: ofPath,
          blobUuid: readOnly,
          defaultImage: Type.Optional(
            Type.String({
              ...imageAddress,
              pattern: `^(?:[Hh][Tt][Tt][Pp][Ss]?:[^\\u0000-\\u001f]*|/${defaultImageFolder}/[\\w-]+(?:\\.[\\w-]+)*)$`,
              description:
                'An http or https URL of an image. A drawing of the service that comes back is ignored.',
            }),
          ),
          active: Type.Optional(
            Type.Boolean({
              default: true,
              description: 'Whether the vehicle is in service; true when left out.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    information: InformationSchema,
    status: readOnly,
  },
  { $id: 'VehicleRequest', additionalProperties: false },
);
export type VehicleRequest = Static<typeof VehicleRequestSchema>;

const vehicleCode = /^[A-Za-z0-9._-]{1,64}$/;

/** What is wrong with the id of a vehicle that is to be stored, if anything. */
export function vehicleIdIssue(id: string, { countryCode, code }: ProviderRef): string | undefined {
  const prefix = `${countryCode}*${code}*`;
  if (!id.startsWith(prefix))
    return `The vehicle id must begin with ${prefix}, the codes of its asset provider.`;
  if (!vehicleCode.test(id.slice(prefix.length))) {
    return `After ${prefix} the vehicle id must have 1 to 64 letters, digits or any of . _ -.`;
  }
  return undefined;
}
