create table departments (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- The name as it is compared (lib/names.ts): case folded, for every script.
  name_key text not null,
  description text,
  email text,
  default_sla_config_id uuid,
  assignment json not null,
  fallback_department_id uuid,
  archived boolean not null,
  metadata json not null, -- json keeps the members in the client's order
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, name_key),
  foreign key (tenant_id, fallback_department_id) references departments (tenant_id, id)
);

create index departments_fallback on departments (tenant_id, fallback_department_id)
  where fallback_department_id is not null;

create table department_members (
  tenant_id uuid not null,
  department_id uuid not null,
  operator_id uuid not null,
  -- Whose turn it is in round robin: the lowest one's.
  turn bigint not null,
  created_at timestamptz not null,
  primary key (tenant_id, department_id, operator_id),
  foreign key (tenant_id, department_id) references departments (tenant_id, id),
  foreign key (tenant_id, operator_id) references operators (tenant_id, id)
);

create index department_members_operator on department_members (tenant_id, operator_id);
