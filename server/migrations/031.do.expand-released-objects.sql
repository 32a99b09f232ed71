-- Objects that no record references any more: their bytes are deleted outside of any transaction.

alter table stored_objects add column released_at timestamptz;
create index stored_objects_released on stored_objects (provider, key) where released_at is not null;
