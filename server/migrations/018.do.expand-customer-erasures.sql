-- Erasures of customers; the customer is in it until it is done (docs/decisions/0040-assignments-and-erasure.md).

create table customer_erasures (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  customer_country_code text collate "C",
  customer_provider_code text collate "C",
  customer_id uuid,
  requested_at timestamptz(3) not null,
  completed_at timestamptz(3),
  erased_count bigint not null default 0,
  constraint customer_erasures_pkey primary key (provider, id),
  constraint customer_erasures_provider_fkey foreign key (provider) references providers (id) on delete cascade,
  constraint customer_erasures_customer_check check ((completed_at is null) = (customer_id is not null))
);
create unique index customer_erasures_by_customer
  on customer_erasures (provider, customer_country_code, customer_provider_code, customer_id)
  where customer_id is not null;

insert into audited_tables (name, type, id_column, left_out, personal) values
  ('customer_erasures', 'user-erasure', 'id', '{provider,id,requested_at}',
   '{customer_country_code,customer_provider_code,customer_id}');

select audit_tables();
