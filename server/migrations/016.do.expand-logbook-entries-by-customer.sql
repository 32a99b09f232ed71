-- no-transaction
create index concurrently if not exists logbook_entries_by_customer on logbook_entries (provider, customer_id) where customer_id is not null;
