create table webhook_endpoints (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  -- Names of event types, `conversation.*` for all of a resource, `*` for all.
  enabled_events text[] not null,
  -- `disabled` is set by the server, for the reason beside it.
  status text not null check (status in ('enabled', 'paused', 'disabled')),
  disabled_reason text,
  payload text not null check (payload in ('full', 'thin')),
  -- Headers of the client's own that go with each request: a JSON object, encrypted; null when there are none.
  header_names text[] not null,
  headers_sealed bytea,
  metadata json not null,
  secret_hint text not null,
  secret_sealed bytea not null,
  -- After a rotation, until its time, the one before signs as well.
  former_secret_sealed bytea,
  former_secret_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);

-- What the sender and its followers need to know of an endpoint that has been enabled. Apart from it, because it
-- changes with every attempt and is no change of the endpoint.
create table webhook_endpoint_states (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  -- The transaction that enabled it last: it is given the events whose place in the journal comes after that.
  active_epoch integer not null,
  active_xid xid8 not null default pg_current_xact_id(),
  -- Attempts since the last success, and when the first of them was.
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  primary key (tenant_id, endpoint_id)
);

-- An event that an endpoint is given. No foreign key: those of an endpoint that was deleted are seen by nobody and
-- are swept in small batches.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  -- The event's place in the journal; null for a test, whose event is not there.
  epoch integer,
  xid xid8,
  ordinal integer,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- How many attempts of the retry schedule there have been; a retry by hand and a recovery begin it anew.
  tries integer not null default 0,
  -- While it is pending.
  next_attempt_at timestamptz,
  -- Oldest first: [{"at", "response_status", "response_body", "error", "duration_ms"}]
  attempts jsonb not null default '[]',
  -- The whole event of a test.
  body text,
  -- Personal data in its event had to go: what receivers answer is not kept any more.
  erased boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  -- An endpoint is given an event once. The event comes first: erasures look for it.
  unique (tenant_id, event_id, endpoint_id),
  check ((status = 'pending') = (next_attempt_at is not null))
);

create index webhook_deliveries_endpoint on webhook_deliveries (tenant_id, endpoint_id, id);
create index webhook_deliveries_pending on webhook_deliveries (tenant_id, endpoint_id, next_attempt_at, id) where status = 'pending';
-- For the list of those: among many that succeeded they are few.
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, endpoint_id, id) where status = 'failed';

-- A recovery that goes on: up to where it has looked for events that an endpoint has missed, and where it ends.
create table webhook_recoveries (
  tenant_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  since timestamptz not null,
  epoch integer not null,
  xid xid8 not null,
  ordinal integer not null,
  until_epoch integer not null,
  until_xid xid8 not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
