-- The whole schema after all migrations, on one page; to be read, not to be run.
-- Written by `npm run gen`. The reasons are in the migrations.

create table api_key_secrets (
  secret_hash bytea       not null,
  api_key_id  uuid        not null,
  expires_at  timestamptz,
  constraint api_key_secrets_pkey primary key (secret_hash),
  constraint api_key_secrets_api_key_id_fkey foreign key (api_key_id) references api_keys(id)
);
create index api_key_secrets_key on api_key_secrets (api_key_id);

create table api_keys (
  id            uuid        not null,
  tenant_id     uuid        not null,
  name          text        not null,
  scopes        text[]      not null,
  allowed_cidrs text[]      not null,
  secret_hint   text        not null,
  expires_at    timestamptz,
  last_used_at  timestamptz,
  rotated_at    timestamptz,
  revoked_at    timestamptz,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  version       integer     not null,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_tenant_id_fkey foreign key (tenant_id) references environments(id)
);
create index api_keys_tenant on api_keys (tenant_id, id);

create table conversations (
  tenant_id          uuid        not null,
  id                 uuid        not null,
  external_user_id   text        not null,
  subject            text,
  initiated_by_side  text        not null,
  channel            text        not null,
  priority           text        not null,
  language           text,
  external_id        text,
  metadata           json        not null,
  follow_up_of_id    uuid,
  status             text        not null,
  waiting_since      timestamptz,
  message_count      integer     not null,
  last_message_at    timestamptz,
  last_message_side  text,
  first_response_at  timestamptz,
  resolved_at        timestamptz,
  closed_at          timestamptz,
  reopened_count     integer     not null,
  merged_into_id     uuid,
  read_by_end_user   integer     not null,
  read_by_operator   integer     not null,
  unread_by_end_user integer     not null,
  unread_by_operator integer     not null,
  search             tsvector    not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  version            integer     not null,
  constraint conversations_pkey primary key (tenant_id, id),
  constraint conversations_status_check check (status = any (array['new', 'open', 'pending', 'on_hold', 'resolved', 'closed']))
);
create unique index conversations_external_id on conversations (tenant_id, external_id) where external_id is not null;
create index conversations_external_user on conversations (tenant_id, external_user_id, id);
create index conversations_last_message on conversations (tenant_id, coalesce(last_message_at, '-infinity'::timestamptz), id);
create index conversations_search on conversations using gin (search);
create index conversations_status on conversations (tenant_id, status, id);
create index conversations_updated on conversations (tenant_id, updated_at, id);

create table due_leases (
  tenant_id    uuid        not null,
  holder       uuid        not null,
  leased_until timestamptz not null,
  constraint due_leases_pkey primary key (tenant_id)
);

create table due_work (
  tenant_id  uuid        not null,
  duty       text        not null,
  subject_id uuid        not null,
  due_at     timestamptz not null,
  attempts   integer     not null default 0,
  retry_at   timestamptz,
  constraint due_work_pkey primary key (tenant_id, duty, subject_id)
);
create index due_work_order on due_work (tenant_id, due_at, duty, subject_id);

create table environments (
  id                       uuid        not null,
  workspace_id             uuid        not null,
  kind                     text        not null,
  clock_offset_ms          bigint      not null default 0,
  auto_close_after_seconds integer     not null,
  event_retention_days     integer     not null,
  default_language         text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  version                  integer     not null,
  constraint environments_pkey primary key (id),
  constraint environments_workspace_id_kind_key unique (workspace_id, kind),
  constraint environments_clock_offset_ms_check check (clock_offset_ms >= 0),
  constraint environments_kind_check check (kind = any (array['live', 'test'])),
  constraint environments_workspace_id_fkey foreign key (workspace_id) references workspaces(id)
);

create table events (
  tenant_id        uuid        not null,
  epoch            integer     not null default 1,
  xid              xid8        not null default pg_current_xact_id(),
  ordinal          integer     not null,
  id               uuid        not null,
  type             text        not null,
  created_at       timestamptz not null,
  stream_id        uuid        not null,
  resource_type    text        not null,
  resource_id      uuid        not null,
  resource_version integer     not null,
  actor_type       text        not null,
  actor_id         text,
  operator_id      text,
  request_id       text,
  idempotency_key  text,
  ip               text,
  user_agent       text,
  object           json        not null,
  previous         json        not null,
  constraint events_pkey primary key (tenant_id, epoch, xid, ordinal)
);
create index events_stream on events (tenant_id, stream_id, epoch, xid, ordinal);

create table idempotency_keys (
  tenant_id   uuid        not null,
  key         text        not null,
  fingerprint bytea       not null,
  request_id  text        not null,
  created_at  timestamptz not null,
  status      smallint    not null,
  location    text,
  etag        text,
  body        text        not null,
  sealed      bytea,
  resource_id uuid,
  constraint idempotency_keys_pkey primary key (tenant_id, key)
);
create index idempotency_keys_age on idempotency_keys using brin (created_at) with (autosummarize='on');
create index idempotency_keys_resource on idempotency_keys (tenant_id, resource_id) where resource_id is not null;

create table installation_epochs (
  epoch             integer not null,
  system_identifier text    not null,
  constraint installation_epochs_pkey primary key (epoch)
);

create table installation_secrets (
  name  text  not null,
  value bytea not null,
  constraint installation_secrets_pkey primary key (name)
);

create table message_revisions (
  tenant_id   uuid        not null,
  message_id  uuid        not null,
  version     integer     not null,
  body        text        not null,
  written_at  timestamptz not null,
  replaced_at timestamptz not null,
  constraint message_revisions_pkey primary key (tenant_id, message_id, version)
);

create table messages (
  tenant_id       uuid        not null,
  id              uuid        not null,
  conversation_id uuid        not null,
  sequence        integer     not null,
  author_side     text        not null,
  operator_id     uuid,
  body            text        not null,
  body_format     text        not null,
  visibility      text        not null,
  in_reply_to_id  uuid,
  external_id     text,
  metadata        json        not null,
  edited_at       timestamptz,
  redacted_at     timestamptz,
  search          tsvector    not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  version         integer     not null,
  constraint messages_pkey primary key (tenant_id, id),
  constraint messages_tenant_id_conversation_id_sequence_key unique (tenant_id, conversation_id, sequence)
);
create unique index messages_external_id on messages (tenant_id, external_id) where external_id is not null;
create index messages_search on messages using gin (search);

create table migrations (
  number     integer     not null,
  name       text        not null,
  checksum   text        not null,
  applied_at timestamptz not null default now(),
  constraint migrations_pkey primary key (number)
);

create table tags (
  tenant_id   uuid        not null,
  id          uuid        not null,
  name        text        not null,
  name_key    text        not null,
  color       text,
  description text,
  archived    boolean     not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  version     integer     not null,
  constraint tags_pkey primary key (tenant_id, id),
  constraint tags_tenant_id_name_key_key unique (tenant_id, name_key)
);

create table test_clock_advances (
  tenant_id        uuid   not null,
  idempotency_key  text   not null,
  target_offset_ms bigint not null,
  constraint test_clock_advances_pkey primary key (tenant_id, idempotency_key)
);

create table workspaces (
  id         uuid        not null,
  name       text        not null,
  created_at timestamptz not null,
  constraint workspaces_pkey primary key (id)
);
create unique index workspaces_name on workspaces (lower(name));
