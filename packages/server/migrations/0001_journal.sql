-- The journal: one row per change, written in the statement that makes the change. Its order is
-- (epoch, xid, ordinal): `xid` is the writing transaction, `ordinal` the place within it. A reader that stays below
-- pg_snapshot_xmin(pg_current_snapshot()) can never be overtaken, whatever order transactions commit in. `epoch`
-- counts the database clusters that the data has lived in: transaction ids begin anew in each (see db/epoch.ts).
create table events (
  tenant_id uuid not null,
  epoch integer not null default 1,
  xid xid8 not null default pg_current_xact_id(),
  ordinal integer not null,
  id uuid not null,
  type text not null,
  created_at timestamptz not null,
  -- The conversation of a message, otherwise the resource itself: what a timeline follows.
  stream_id uuid not null,
  resource_type text not null,
  resource_id uuid not null,
  resource_version integer not null,
  actor_type text not null,
  actor_id text,
  operator_id text,
  request_id text,
  idempotency_key text,
  ip text,
  user_agent text,
  -- Snapshots as the API shows them. json, not jsonb: the text is kept as it was shown.
  object json not null,
  previous json not null,
  primary key (tenant_id, epoch, xid, ordinal)
);

create index events_stream on events (tenant_id, stream_id, epoch, xid, ordinal);

-- A key is here if and only if its effect is: both commit in one statement.
create table idempotency_keys (
  tenant_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  request_id text not null,
  created_at timestamptz not null,
  status smallint not null,
  location text,
  etag text,
  body text not null,
  -- The body with its secret, encrypted under the API key that was presented; null where there is none.
  sealed bytea,
  -- What the response shows, where no event leads to it: an erasure must find these responses as well.
  resource_id uuid,
  primary key (tenant_id, key)
);

create index idempotency_keys_resource on idempotency_keys (tenant_id, resource_id) where resource_id is not null;

-- For the sweep alone. BRIN, because rows arrive in the order of time and a b-tree would cost each create.
create index idempotency_keys_age on idempotency_keys using brin (created_at) with (autosummarize = on);

-- What all processes of one installation share, such as the key that authenticates cursors.
create table installation_secrets (
  name text primary key,
  value bytea not null
);

-- The cluster that the data lives in now, by the identifier that initdb gave it, and the epoch of its events.
create table installation_epochs (
  epoch integer primary key,
  system_identifier text not null
);
