create table macros (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- The name as it is compared (lib/names.ts).
  name_key text not null,
  description text,
  actions json not null, -- in order; each with all members of its type, ids as the API has them
  -- None: for everyone.
  department_ids uuid[] not null,
  position integer not null,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, name_key)
);

create index macros_position on macros (tenant_id, position, name_key, id);

-- One row each time that a macro was applied: nobody waits for a counter. No foreign key either, since that would
-- lock the macro for as long as the transaction lasts.
create table macro_uses (
  tenant_id uuid not null,
  macro_id uuid not null,
  id uuid not null, -- UUIDv7, so the last one is the latest
  used_at timestamptz not null,
  primary key (tenant_id, macro_id, id)
);
