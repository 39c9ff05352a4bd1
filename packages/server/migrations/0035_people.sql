-- End users, companies and their sessions (docs/adr/0039-people.md).
create table companies (
  tenant_id uuid not null,
  id uuid not null,
  external_id text,
  name text not null,
  name_key text not null,
  domains text[] not null,
  metadata json not null,
  archived boolean not null,
  -- The words of name, domains and external id.
  search tsvector not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create unique index companies_external_id on companies (tenant_id, external_id) where external_id is not null;
create index companies_name on companies (tenant_id, name_key, id);
create index companies_search on companies using gin (search);

-- Each domain belongs to one company. The inverse of `domains`.
create table company_domains (
  tenant_id uuid not null,
  domain text not null,
  company_id uuid not null,
  primary key (tenant_id, domain),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index company_domains_company on company_domains (tenant_id, company_id);

create table end_users (
  tenant_id uuid not null,
  id uuid not null,
  -- In the order of bytes, so that an index has the ids with a prefix.
  external_id text collate "C",
  name text,
  -- '0' and the normalized name, or '1' without a name, so that the order of names is one index range.
  name_key text not null,
  -- [{address, verified}], the main one first.
  emails json not null,
  phones text[] not null,
  language text,
  timezone text,
  avatar_url text,
  company_ids uuid[] not null,
  metadata json not null,
  verified_at timestamptz,
  -- Written without a version.
  last_seen_at timestamptz,
  blocked_at timestamptz,
  blocked_until timestamptz,
  block_reason text,
  -- The final target of merges: an alias has no aliases.
  merged_into_id uuid,
  erased_at timestamptz,
  -- The words of name, addresses and external id; null for an end user of whom only the external id is known.
  search tsvector,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create unique index end_users_external_id on end_users (tenant_id, external_id);
create index end_users_name on end_users (tenant_id, name_key, id);
create index end_users_seen on end_users (tenant_id, coalesce(last_seen_at, '-infinity'), id);
create index end_users_aliases on end_users (tenant_id, merged_into_id) where merged_into_id is not null;
create index end_users_search on end_users using gin (search) where search is not null;

-- Raised by each change of an end user that conversations show: a merge, a block, an external id. Cached conversations
-- are those of one generation.
create table end_user_generations (
  tenant_id uuid not null,
  generation bigint not null,
  primary key (tenant_id)
);

-- The inverse of `emails` and `phones`, with e-mail addresses in lower case. A verified address has one owner.
create table end_user_addresses (
  tenant_id uuid not null,
  kind text not null,
  address text not null,
  end_user_id uuid not null,
  is_verified boolean not null,
  primary key (tenant_id, kind, address, end_user_id),
  foreign key (tenant_id, end_user_id) references end_users (tenant_id, id)
);
create unique index end_user_addresses_verified on end_user_addresses (tenant_id, kind, address) where is_verified;
create index end_user_addresses_owner on end_user_addresses (tenant_id, end_user_id);

-- The inverse of `company_ids`.
create table company_members (
  tenant_id uuid not null,
  company_id uuid not null,
  end_user_id uuid not null,
  primary key (tenant_id, company_id, end_user_id),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index company_members_end_user on company_members (tenant_id, end_user_id);

-- Null only in conversations from before end users, until background work has reached them.
alter table conversations add column end_user_id uuid;
-- Read only while end_user_id is null.
alter table conversations alter column external_user_id drop not null;
alter table conversations add column company_id uuid;
alter table conversations add column participant_ids uuid[] not null default '{}';
alter table conversations add foreign key (tenant_id, end_user_id) references end_users (tenant_id, id);
alter table conversations add foreign key (tenant_id, company_id) references companies (tenant_id, id);

-- The inverse of `participant_ids`.
create table conversation_participants (
  tenant_id uuid not null,
  end_user_id uuid not null,
  conversation_id uuid not null,
  primary key (tenant_id, end_user_id, conversation_id)
);

-- The author of a message of the end user's side, if it is a participant; otherwise the conversation's end user.
alter table messages add column author_end_user_id uuid;

alter table departments add column public boolean not null default false;
alter table categories add column public boolean not null default false;
alter table environments add column end_users_may_resolve boolean not null default false;
alter table sla_configs add column company_ids uuid[] not null default '{}';

-- Sessions of end users. The token names the environment, so that its hash can be looked up there.
create table end_user_sessions (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  end_user_id uuid not null,
  -- The only conversation that it may see, if any.
  conversation_id uuid,
  created_by text not null,
  -- The next session of a renewal lives as long.
  lifetime_seconds integer not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Written without a version.
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create unique index end_user_sessions_token on end_user_sessions (tenant_id, token_hash);
create index end_user_sessions_end_user on end_user_sessions (tenant_id, end_user_id, id);

-- Keys that verify the JWTs of clients: a public key, or a secret that is sealed.
create table identity_keys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  algorithm text not null,
  public_key text,
  sealed_secret bytea,
  issuer text,
  audience text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);

alter table api_keys add column kind text not null default 'secret';
alter table api_keys add column allowed_origins text[] not null default '{}';
