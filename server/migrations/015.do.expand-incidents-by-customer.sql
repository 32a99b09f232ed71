-- no-transaction
create index concurrently if not exists incidents_by_customer on incidents (provider, customer_id) where customer_id is not null;
