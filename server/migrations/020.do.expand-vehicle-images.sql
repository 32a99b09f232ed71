-- The image of a vehicle, in every size and format (docs/decisions/0041-assets.md). The blob_uuid of the vehicle names it.
create table vehicle_image_files (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  -- The width that is asked for; the largest is the whole image.
  size integer not null,
  format text collate "C" not null,
  -- Of the upload: all files of an image have the same.
  uuid uuid not null,
  width integer not null,
  height integer not null,
  object_key text collate "C" not null,
  bytes bigint not null,
  created_at timestamptz not null,
  constraint vehicle_image_files_pkey primary key (provider, vehicle_id, size, format),
  constraint vehicle_image_files_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint vehicle_image_files_object_fkey foreign key (provider, object_key)
    references stored_objects (provider, key),
  constraint vehicle_image_files_format_check check (format in ('webp', 'avif'))
);
create index vehicle_image_files_by_object on vehicle_image_files (provider, object_key);
