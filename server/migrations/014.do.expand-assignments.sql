-- Who drove a vehicle before (docs/decisions/0040-assignments-and-erasure.md). A row of drivers is an open assignment.

create table past_assignments (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  -- Null once the customer is erased.
  customer_country_code text collate "C",
  customer_provider_code text collate "C",
  customer_id uuid,
  added_at timestamptz(3) not null,
  removed_at timestamptz(3) not null,
  constraint past_assignments_pkey primary key (provider, vehicle_id, id),
  constraint past_assignments_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint past_assignments_period_check check (removed_at >= added_at)
);
create index past_assignments_by_customer
  on past_assignments (provider, customer_country_code, customer_provider_code, customer_id, added_at);
