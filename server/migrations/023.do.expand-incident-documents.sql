-- What was read in the documents of incidents (docs/decisions/0044-text-recognition.md).

create table incident_documents (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  incident_id uuid not null,
  blob_uuid uuid not null,
  -- The bytes that were read; null when they have to be read again.
  object_key text collate "C",
  failure text,
  source text,
  page_count integer,
  page_texts text[] not null default '{}',
  suggestions jsonb not null default '[]',
  read_at timestamp(3) with time zone not null,
  constraint incident_documents_pkey primary key (provider, blob_uuid),
  constraint incident_documents_blob_fkey foreign key (provider, blob_uuid) references blobs (provider, uuid) on delete cascade,
  constraint incident_documents_incident_fkey foreign key (provider, vehicle_id, incident_id)
    references incidents (provider, vehicle_id, id) on delete cascade,
  constraint incident_documents_source_check check (source in ('text-layer', 'recognition')),
  constraint incident_documents_failure_check check ((failure is null) = (source is not null))
);
create index incident_documents_by_incident on incident_documents (provider, vehicle_id, incident_id);
