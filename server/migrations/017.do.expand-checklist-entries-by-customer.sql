-- no-transaction
create index concurrently if not exists checklist_entries_by_customer on checklist_entries (provider, customer_id) where customer_id is not null;
