create table hold_reasons (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- The name as it is compared (lib/names.ts).
  name_key text not null,
  description text,
  waiting_on text not null,
  pauses_sla boolean not null,
  resumes_on_reply boolean not null,
  requires_note boolean not null,
  default_duration_seconds integer,
  max_duration_seconds integer,
  on_expiry text not null,
  -- All three, or none where nothing follows up.
  follow_up_every_seconds integer,
  follow_up_template_id uuid,
  follow_up_max_count integer,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, name_key)
);
