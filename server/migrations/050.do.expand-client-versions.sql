-- Seconds since 2026, as an integer has room for them until 2094: the id is the administrator's choice, so that a client which is
-- made again under the id of one that was deleted would repeat its ETags.
alter table clients alter column version set default (extract(epoch from now()) - 1767225600)::integer;
