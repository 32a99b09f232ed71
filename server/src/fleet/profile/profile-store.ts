import type { Queryable } from '../../platform/db/database.ts';
import { canonicalLocale, type Profile, type ProfileRequest } from './profile.ts';
import { profileDefaults } from './profile-defaults.ts';

/** The profile of a provider, with defaults by its country for what it does not tell; version 0 while it was never written. */
export async function readProfile(
  db: Queryable,
  providerId: string,
): Promise<{ profile: Profile; version: number }> {
  const [row] = await db.query<ProfileRow>(selectProfile, [providerId]);
  if (!row) throw new Error(`there is no asset provider ${providerId}`);
  const { version, ...told } = row;
  return { profile: profileOf(told, providerId), version };
}

/** With the defaults of the provider's country. */
export function profileOf(told: Omit<ProfileRow, 'version'>, providerId: string): Profile {
  const known = Object.entries(told).filter(([, value]) => value !== null);
  return { ...profileDefaults(providerId.slice(0, 2)), ...Object.fromEntries(known) } as Profile;
}

/** Overwrites the profile; returns its new version. */
export async function writeProfile(
  tx: Queryable,
  providerId: string,
  { locale, ...request }: Omit<ProfileRequest, 'name'>,
  now: Date,
): Promise<number> {
  const told = { ...request, locale: locale && canonicalLocale(locale) };
  const values = [
    ...columns.map(([property]) => told[property]),
    ...addressColumns.map(([property]) => told.address?.[property]),
    ...contactColumns.map(([property]) => told.contact?.[property]),
  ];
  const [row] = (await tx.query<{ version: number }>(upsertProfile, [
    providerId,
    now,
    ...values.map((value) => value ?? null),
  ])) as [{ version: number }];
  return row.version;
}

/** The providers whose profiles limit how long positions are kept. */
export async function providersThatErasePositions(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ provider: string }>(
    `select provider from provider_profiles where position_retention_days is not null order by provider`,
  );
  return rows.map(({ provider }) => provider);
}

export type ProfileRow = { version: number } & { [Name in keyof Profile]-?: Profile[Name] | null };

const columns = [
  ['legalForm', 'legal_form'],
  ['timeZone', 'time_zone'],
  ['locale', 'locale'],
  ['currency', 'currency'],
  ['vatId', 'vat_id'],
  ['defaultVehicleClass', 'default_vehicle_class'],
  ['defaultUsage', 'default_usage'],
  ['electricityPricePerKwh', 'electricity_price_per_kwh'],
  ['positionRetentionDays', 'position_retention_days'],
  ['erasePositionsWithCustomer', 'erase_positions_with_customer'],
] as const;

const addressColumns = [
  ['street', 'address_street'],
  ['postalCode', 'address_zip'],
  ['city', 'address_city'],
  ['region', 'address_region'],
  ['countryCode', 'address_country'],
] as const;

const contactColumns = [
  ['name', 'contact_name'],
  ['email', 'contact_email'],
  ['phone', 'contact_phone'],
] as const;

/** Null where none of its properties is known. */
function objectOf(properties: readonly (readonly [property: string, column: string])[]): string {
  const pairs = properties.map(([property, column]) => `'${property}', f.${column}`);
  return `nullif(jsonb_strip_nulls(jsonb_build_object(${pairs.join(', ')})), '{}')`;
}

/** Of `provider_profiles f`, without the name, which is that of the provider. */
export const profileColumns = `${columns.map(([property, column]) => `f.${column} as "${property}"`).join(', ')},
  ${objectOf(addressColumns)} as address, ${objectOf(contactColumns)} as contact, f.updated_at as "updatedAt"`;

const selectProfile = `
  select p.name, ${profileColumns}, coalesce(f.version, 0) as version
  from providers p left join provider_profiles f on f.provider = p.id
  where p.id = $1`;

const names = [...columns, ...addressColumns, ...contactColumns].map(([, column]) => column);

const upsertProfile = `
  insert into provider_profiles as f (provider, created_at, updated_at, ${names.join(', ')})
  values ($1, $2, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')})
  on conflict (provider) do update set version = f.version + 1, updated_at = excluded.updated_at,
    ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
  returning version`;
