create table categories (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid,
  name text not null,
  -- The name as it is compared (lib/names.ts).
  name_key text not null,
  position integer not null,
  default_department_id uuid,
  default_priority text,
  description text,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references categories (tenant_id, id)
);

-- Null is distinct from null, so roots are siblings below an id that nobody has.
create unique index categories_siblings on categories
  (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), name_key);

create index categories_order on categories (tenant_id, position, name_key, id);

-- Also for the foreign key: is anything below a category that is to be deleted?
create index categories_below on categories (tenant_id, parent_id, position, name_key, id);
