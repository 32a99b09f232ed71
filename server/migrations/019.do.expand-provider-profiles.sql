-- What an asset provider says of itself, and the defaults of its fleet. Its name is that in providers.
create table provider_profiles (
  provider text collate "C" not null,
  version integer not null default 1,
  legal_form text,
  address_street text,
  address_zip text,
  address_city text,
  address_region text,
  address_country text,
  contact_name text,
  contact_email text,
  contact_phone text,
  time_zone text,
  locale text,
  currency text,
  vat_id text,
  default_vehicle_class text,
  default_usage text,
  electricity_price_per_kwh double precision,
  position_retention_days integer,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint provider_profiles_pkey primary key (provider),
  constraint provider_profiles_provider_fkey foreign key (provider) references providers (id) on delete cascade,
  constraint provider_profiles_time_zone_check check (time_zone ~ '^[A-Za-z0-9_+/-]+$'),
  constraint provider_profiles_default_vehicle_class_check
    check (default_vehicle_class in ('M1', 'N1', 'N2', 'N3', 'M2', 'M3', 'O', 'L')),
  constraint provider_profiles_default_usage_check check (default_usage in ('private', 'rental', 'taxi')),
  constraint provider_profiles_position_retention_days_check check (position_retention_days > 0)
);

insert into audited_tables (name, type, provider_column, id_column, left_out) values
  ('provider_profiles', 'profile', 'provider', 'provider', '{provider,version,created_at,updated_at}');

select audit_tables();
