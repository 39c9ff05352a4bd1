-- Sessions of operators in the console. One sign-in makes one session in each environment of the workspace that has an
-- operator with the e-mail address, all with the same token. The token names the workspace.
create table console_sessions (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  operator_id uuid not null,
  created_by text not null,
  user_agent text,
  ip text,
  -- Written without a version. In real time, like expires_at: a test clock ends no session.
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, operator_id) references operators (tenant_id, id)
);
create unique index console_sessions_token on console_sessions (tenant_id, token_hash);
create index console_sessions_operator on console_sessions (tenant_id, operator_id, id);

-- One-time links to sign in. They are found by their token alone, like API keys.
create table console_links (
  token_hash bytea primary key,
  workspace_id uuid not null references workspaces (id),
  -- Null for the link of the first administrator, who states name and address.
  email text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index console_links_expiry on console_links (expires_at);
