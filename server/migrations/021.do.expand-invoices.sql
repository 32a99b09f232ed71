-- Invoices of suppliers, with their lines (docs/decisions/0042-invoices-and-costs.md). Amounts are in minor units of the
-- currency; quantities, prices and rates are exact decimals. A draft may be incomplete.

create table invoices (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  status text not null,
  type text not null,
  number text,
  supplier_name text,
  supplier_vat_id text,
  supplier_tax_number text,
  supplier_registration text,
  supplier_address jsonb,
  buyer_reference text,
  order_reference text,
  issue_date date,
  due_date date,
  service_date date,
  service_from date,
  service_to date,
  currency text not null,
  note text,
  allowances jsonb not null default '[]',
  charges jsonb not null default '[]',
  vat_breakdown jsonb not null default '[]',
  line_net_amount bigint not null,
  allowance_amount bigint not null,
  charge_amount bigint not null,
  tax_exclusive_amount bigint not null,
  tax_amount bigint not null,
  tax_inclusive_amount bigint not null,
  prepaid_amount bigint not null,
  rounding_amount bigint not null,
  payable_amount bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint invoices_pkey primary key (provider, id),
  constraint invoices_provider_fkey foreign key (provider) references providers (id) on delete cascade,
  constraint invoices_status_check check (status in ('draft', 'open', 'approved', 'disputed', 'paid', 'cancelled')),
  constraint invoices_type_check check (type in ('invoice', 'credit_note')),
  constraint invoices_complete_check check (
    status in ('draft', 'cancelled') or (number is not null and supplier_name is not null and issue_date is not null)
  )
);
create index invoices_by_number on invoices (provider, normalized_text(number));
create index invoices_by_issue_date on invoices (provider, issue_date desc nulls last, created_at desc, id);

create table invoice_lines (
  provider text collate "C" not null,
  invoice_id uuid not null,
  -- From 0 on, in the order of the invoice.
  position integer not null,
  line_number text not null,
  text text not null,
  description text,
  kind text not null,
  quantity numeric not null,
  unit text not null,
  unit_price numeric not null,
  price_base_quantity numeric not null,
  allowances jsonb not null default '[]',
  charges jsonb not null default '[]',
  net_amount bigint not null,
  vat_category text not null,
  vat_rate numeric,
  service_from date,
  service_to date,
  vehicle_id text collate "C",
  charging_session_id text collate "C",
  maintenance_report_id uuid,
  logbook_entry_id uuid,
  incident_id uuid,
  -- Its share of the whole invoice, allowances, charges and taxes included; negative in a credit note.
  cost_amount bigint not null,
  cost_tax_amount bigint not null,
  cost_date date,
  constraint invoice_lines_pkey primary key (provider, invoice_id, position),
  constraint invoice_lines_invoice_fkey foreign key (provider, invoice_id)
    references invoices (provider, id) on delete cascade,
  constraint invoice_lines_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete set null (vehicle_id),
  constraint invoice_lines_charging_session_fkey foreign key (provider, vehicle_id, charging_session_id)
    references charging_sessions (provider, vehicle_id, id) on delete set null (charging_session_id),
  constraint invoice_lines_maintenance_report_fkey foreign key (provider, vehicle_id, maintenance_report_id)
    references maintenance_reports (provider, vehicle_id, id) on delete set null (maintenance_report_id),
  constraint invoice_lines_logbook_entry_fkey foreign key (provider, vehicle_id, logbook_entry_id)
    references logbook_entries (provider, vehicle_id, id) on delete set null (logbook_entry_id),
  constraint invoice_lines_incident_fkey foreign key (provider, vehicle_id, incident_id)
    references incidents (provider, vehicle_id, id) on delete set null (incident_id),
  constraint invoice_lines_kind_check check (kind in (
    'energy', 'fuel', 'maintenance', 'repair', 'tyres', 'insurance', 'tax', 'leasing', 'parking', 'toll', 'cleaning',
    'fine', 'other'
  )),
  constraint invoice_lines_vehicle_check check (
    vehicle_id is not null
    or num_nonnulls(charging_session_id, maintenance_report_id, logbook_entry_id, incident_id) = 0
  )
);
create index invoice_lines_by_vehicle on invoice_lines (provider, vehicle_id, cost_date) where vehicle_id is not null;
-- As searches compare text.
create index invoice_lines_by_vehicle_text
  on invoice_lines (provider, (normalized_text(vehicle_id) collate text_order));
create index invoice_lines_by_cost_date on invoice_lines (provider, cost_date);
create index invoice_lines_by_charging_session on invoice_lines (provider, vehicle_id, charging_session_id)
  where charging_session_id is not null;
create index invoice_lines_by_maintenance_report on invoice_lines (provider, vehicle_id, maintenance_report_id)
  where maintenance_report_id is not null;
create index invoice_lines_by_logbook_entry on invoice_lines (provider, vehicle_id, logbook_entry_id)
  where logbook_entry_id is not null;
create index invoice_lines_by_incident on invoice_lines (provider, vehicle_id, incident_id) where incident_id is not null;

-- What a deleted vehicle had is deleted with it, and the foreign keys then no longer find the line by its vehicle.
create function clear_invoice_line_links() returns trigger language plpgsql as $$
begin
  new.charging_session_id := null;
  new.maintenance_report_id := null;
  new.logbook_entry_id := null;
  new.incident_id := null;
  return new;
end
$$;
create trigger clear_links before update on invoice_lines for each row
when (old.vehicle_id is not null and new.vehicle_id is null) execute function clear_invoice_line_links();

-- Files of an invoice are those of no vehicle.
alter table blobs alter column vehicle_id drop not null;
alter table blobs drop constraint blobs_owner_check;
alter table blobs add constraint blobs_owner_check
  check (owner in ('logbook', 'incidents', 'checklist', 'invoices')) not valid;
alter table blobs add constraint blobs_vehicle_check check ((vehicle_id is null) = (owner = 'invoices')) not valid;

insert into audited_tables (name, type, vehicle_column, id_column, left_out) values
  ('invoices', 'invoice', null, 'id', '{provider,id,version,created_at,updated_at}'),
  ('invoice_lines', 'invoice-line', 'vehicle_id', $$invoice_id || '/' || record.position$$,
   '{provider,invoice_id,position,cost_amount,cost_tax_amount,cost_date}');

select audit_tables();
