-- An invoice that has counted has to be kept, also when it was cancelled and is a draft again.
alter table invoices add column was_open boolean not null default false;
select audit_tables();
