-- Workspaces, environments and keys are few and read by every request: on a distributed PostgreSQL they are
-- reference tables, therefore without tenant_id in their keys.
create table workspaces (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null
);

create unique index workspaces_name on workspaces (lower(name));

-- An environment is the tenant of all other tables. The settings of a workspace live here, once for live and
-- once for test, so that trying a setting in test changes nothing in live.
create table environments (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('live', 'test')),
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  auto_close_after_seconds integer not null,
  event_retention_days integer not null,
  default_language text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  unique (workspace_id, kind)
);
