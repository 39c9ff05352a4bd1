-- Invitations to the console. A row outlives its operator, so operator_id is no foreign key.
create table invitations (
  tenant_id uuid not null,
  id uuid not null,
  operator_id uuid not null,
  -- The first invitation of an operator has 1. Of two at the same time, the index below refuses one.
  number integer not null,
  token_hash bytea not null,
  -- The operator's address and role at the time of the invitation.
  email text not null,
  role text not null,
  -- The highest role that the inviting credential may give.
  highest_role text not null,
  environments text[] not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create unique index invitations_token on invitations (tenant_id, token_hash);
create unique index invitations_number on invitations (tenant_id, operator_id, number);
