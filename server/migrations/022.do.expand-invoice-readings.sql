-- What was recognised in the documents of drafts (docs/decisions/0043-electronic-invoices.md).

create table invoice_readings (
  provider text collate "C" not null,
  invoice_id uuid not null,
  blob_uuid uuid not null,
  status text not null,
  failure text,
  source text,
  page_count integer,
  page_texts text[] not null default '{}',
  suggestions jsonb not null default '[]',
  read_at timestamptz(3),
  constraint invoice_readings_pkey primary key (provider, invoice_id),
  constraint invoice_readings_invoice_fkey foreign key (provider, invoice_id)
    references invoices (provider, id) on delete cascade,
  constraint invoice_readings_blob_fkey foreign key (provider, blob_uuid)
    references blobs (provider, uuid) on delete cascade,
  constraint invoice_readings_status_check check (status in ('PROCESSING', 'PROCESSED', 'ERROR')),
  constraint invoice_readings_failure_check check ((failure is not null) = (status = 'ERROR'))
);
create index invoice_readings_by_blob on invoice_readings (provider, blob_uuid);
create index invoice_readings_waiting on invoice_readings (provider, invoice_id) where status = 'PROCESSING';
