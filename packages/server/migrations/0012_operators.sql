create table operators (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- The name and the address as they are compared (lib/names.ts): case folded, for every script.
  name_key text not null,
  email text not null,
  email_key text not null,
  external_id text,
  role text not null check (role in ('agent', 'lead', 'admin')),
  capacity integer,
  timezone text,
  archived boolean not null,
  metadata json not null, -- json keeps the members in the client's order
  status text not null check (status in ('online', 'away', 'busy', 'offline')),
  status_reason text,
  status_since timestamptz not null,
  status_until timestamptz,
  status_then text,
  -- A person said so; then no heartbeat brings the operator back.
  offline_by_hand boolean not null,
  -- Counts up and down with every assignment: in no index, and with room on the page, so that it is written in place.
  open_conversations integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, email_key)
) with (fillfactor = 80);

create unique index operators_external_id on operators (tenant_id, external_id) where external_id is not null;
create index operators_name on operators (tenant_id, name_key, id);

-- Only beginnings are stored: a period ends where the operator's next one begins, so there can be no gap and no overlap.
create table operator_status_periods (
  tenant_id uuid not null,
  operator_id uuid not null,
  started_at timestamptz not null,
  status text not null,
  reason text,
  primary key (tenant_id, operator_id, started_at),
  foreign key (tenant_id, operator_id) references operators (tenant_id, id)
);
