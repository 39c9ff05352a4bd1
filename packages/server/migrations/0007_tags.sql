create table tags (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- The name as it is compared (lib/names.ts): case folded, for every script.
  name_key text not null,
  color text,
  description text,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, name_key)
);
