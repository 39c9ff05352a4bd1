create table api_keys (
  id uuid primary key,
  tenant_id uuid not null references environments (id),
  name text not null,
  scopes text[] not null,
  allowed_cidrs text[] not null,
  secret_hint text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  rotated_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null
);

create index api_keys_tenant on api_keys (tenant_id, id);

-- A key has one secret, and after a rotation the former one until its grace has passed.
create table api_key_secrets (
  secret_hash bytea primary key,
  api_key_id uuid not null references api_keys (id),
  expires_at timestamptz
);

create index api_key_secrets_key on api_key_secrets (api_key_id);
