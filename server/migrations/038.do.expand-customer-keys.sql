-- The key of what the trail says of a customer alone has a random id. A hash of the customer stayed in the events after
-- the erasure, and told whoever knew the customer (docs/decisions/0032-audit-trail.md).
-- The id of the key of a customer. Of two that are made at one moment, both stay.
create function audit_customer_key(fleet text, country_code text, provider_code text, customer uuid)
returns uuid language plpgsql as $$
declare
  found uuid;
begin
  found := (
    select k.key_id from public.audit_key_customers k
    where k.provider = fleet and k.customer_country_code = country_code and k.customer_provider_code = provider_code
      and k.customer_id = customer and k.is_of_customer
    limit 1);
  if found is null then
    found := gen_random_uuid();
    insert into public.audit_key_customers
      (provider, customer_country_code, customer_provider_code, customer_id, key_id, is_of_customer)
    values (fleet, country_code, provider_code, customer, found, true);
  end if;
  return found;
end
$$;

update audited_tables
set key_expression = 'audit_customer_key(record.provider, record.customer_country_code, record.customer_provider_code, record.customer_id)'
where name = 'drivers';

select audit_tables();

-- Last: writers of audited tables, which are locked before, wait for this one.
alter table audit_key_customers add column is_of_customer boolean not null default false;
