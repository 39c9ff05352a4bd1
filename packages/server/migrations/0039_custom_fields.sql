-- Custom fields, and views with filters (docs/adr/0044-filters-and-custom-fields.md).
create table custom_fields (
  tenant_id uuid not null,
  id uuid not null,
  -- The name under which objects store values: the last twelve digits of the id. A field that is created again with
  -- the key of a deleted one never shows the values of that one.
  slot text not null,
  applies_to text not null check (applies_to in ('conversation', 'end_user', 'company')),
  key text not null,
  name text not null,
  description text,
  type text not null,
  -- [{value, label, archived}]
  options json not null,
  required_on text,
  end_user_access text not null,
  indexed boolean not null,
  -- True once `custom_field_values` has the values of all objects.
  index_ready boolean not null,
  position integer not null,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create unique index custom_fields_key on custom_fields (tenant_id, applies_to, key);
create unique index custom_fields_slot on custom_fields (tenant_id, slot);
create index custom_fields_order on custom_fields (tenant_id, position, id);

-- Raised by each change of a custom field: processes keep the fields of an environment by this number.
create table custom_field_generations (
  tenant_id uuid not null,
  generation bigint not null,
  primary key (tenant_id)
);

-- The values of indexed fields, as texts in the order of the values. Filters find candidates here, and check them: a
-- value that an object no longer has does no harm.
create table custom_field_values (
  tenant_id uuid not null,
  field_id uuid not null,
  value text collate "C" not null,
  subject_id uuid not null,
  primary key (tenant_id, field_id, value, subject_id)
);

-- What background work does with the values of a field: it fills or clears the index, or removes the values of a
-- deleted field. It goes through the objects in the order of their ids, those up to `after` are done.
create table custom_field_tasks (
  tenant_id uuid not null,
  field_id uuid not null,
  applies_to text not null,
  slot text not null,
  -- Filling begins after the transactions up to this one: later ones write their values to the index themselves.
  fence xid8,
  after uuid not null,
  primary key (tenant_id, field_id)
);

-- The values by slot; null without values.
alter table conversations add column custom_values jsonb;
alter table end_users add column custom_values jsonb;
alter table companies add column custom_values jsonb;

create table views (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  description text,
  applies_to text not null check (applies_to in ('conversation', 'end_user')),
  filter json not null,
  sort text not null,
  columns text[] not null,
  -- Who sees the view: both empty means everybody.
  operator_ids uuid[] not null,
  department_ids uuid[] not null,
  position integer not null,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create unique index views_name on views (tenant_id, name_key);
create index views_order on views (tenant_id, position, id);

alter table webhook_endpoints add column filter json;
