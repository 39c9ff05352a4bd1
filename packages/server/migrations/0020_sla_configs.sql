create table sla_configs (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- The name as it is compared (lib/names.ts).
  name_key text not null,
  description text,
  -- Of those whose conditions match, the first one counts.
  position integer not null,
  -- The conditions: any of these; where none are named, whatever it is.
  department_ids uuid[] not null,
  category_ids uuid[] not null,
  priorities text[] not null,
  channels text[] not null,
  tag_ids uuid[] not null,
  targets json not null,
  schedule json,
  pauses_on_pending boolean not null,
  warn_at_percent integer,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, name_key)
);

create index sla_configs_position on sla_configs (tenant_id, position, id);

-- What a config promised from a version on, until the next one that is here: clocks that began under it can tell. Never
-- changed, and kept when the config is deleted: conversations that came under another one since are still explained by it.
create table sla_config_versions (
  tenant_id uuid not null,
  sla_config_id uuid not null,
  version integer not null,
  terms json not null,
  primary key (tenant_id, sla_config_id, version)
);

-- `tag_ids` the other way round, to the letter, so that a tag that a config names cannot be deleted: a condition that
-- lost its only tag would match everything. Departments and categories need no such table: one that is deleted has no
-- conversations, and its id in a condition matches none.
create table sla_config_tags (
  tenant_id uuid not null,
  tag_id uuid not null,
  sla_config_id uuid not null,
  primary key (tenant_id, tag_id, sla_config_id)
);

alter table sla_config_tags add foreign key (tenant_id, tag_id) references tags (tenant_id, id);

-- How often the configs of an environment changed: what a process remembers of them holds while this is the same.
create table sla_generations (
  tenant_id uuid primary key,
  generation bigint not null
);

create index departments_sla_config on departments (tenant_id, default_sla_config_id)
  where default_sla_config_id is not null;

alter table departments add foreign key (tenant_id, default_sla_config_id) references sla_configs (tenant_id, id);
