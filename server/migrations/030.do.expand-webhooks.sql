-- Subscriptions to events, and the log of their deliveries (docs/decisions/0051-webhooks.md).
create table webhooks (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  url text not null,
  description text,
  -- All types when empty.
  types text[] not null default '{}',
  sealed_secret text not null,
  previous_sealed_secret text,
  previous_expires_at timestamptz(3),
  status text collate "C" not null default 'active',
  status_reason text,
  -- Events up to this number have deliveries.
  position bigint not null,
  -- Since when no delivery has succeeded.
  failing_since timestamptz(3),
  -- Until when one process alone delivers to it.
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint webhooks_pkey primary key (provider, id),
  constraint webhooks_status_check check (status in ('active', 'paused', 'ended')),
  constraint webhooks_provider_fkey foreign key (provider) references providers (id)
);

create table webhook_deliveries (
  provider text collate "C" not null,
  webhook_id uuid not null,
  -- Of the event.
  number bigint not null,
  event_id uuid not null,
  type text collate "C" not null,
  vehicle_id text collate "C",
  status text collate "C" not null default 'pending',
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  first_tried_at timestamptz(3),
  last_tried_at timestamptz(3),
  -- While it is pending.
  next_try_at timestamptz(3) default now(),
  answer_status integer,
  error text,
  constraint webhook_deliveries_pkey primary key (provider, webhook_id, number),
  constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'failed')),
  constraint webhook_deliveries_webhook_fkey foreign key (provider, webhook_id) references webhooks (provider, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (provider, webhook_id, next_try_at) where next_try_at is not null;
create index webhook_deliveries_by_time on webhook_deliveries (created_at);

insert into audited_tables (name, type, vehicle_column, id_column, left_out, secret) values
  ('webhooks', 'webhook', null, 'id',
   '{provider,id,version,position,failing_since,leased_until,created_at,updated_at}', '{sealed_secret,previous_sealed_secret}');
select audit_tables();
