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
  id              uuid        not null,
  tenant_id       uuid        not null,
  name            text        not null,
  scopes          text[]      not null,
  allowed_cidrs   text[]      not null,
  secret_hint     text        not null,
  expires_at      timestamptz,
  last_used_at    timestamptz,
  rotated_at      timestamptz,
  revoked_at      timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  version         integer     not null,
  kind            text        not null default 'secret',
  allowed_origins text[]      not null default '{}'[],
  constraint api_keys_pkey primary key (id),
  constraint api_keys_tenant_id_fkey foreign key (tenant_id) references environments(id)
);
create index api_keys_tenant on api_keys (tenant_id, id);

create table assignment_rule_generations (
  tenant_id  uuid   not null,
  generation bigint not null,
  constraint assignment_rule_generations_pkey primary key (tenant_id)
);

create table audit_blocks (
  tenant_id  uuid        not null,
  number     integer     not null,
  epoch      integer     not null,
  "position" xid8        not null,
  ordinal    integer     not null,
  entries    bytea       not null,
  head       bytea       not null,
  sealed_at  timestamptz not null,
  constraint audit_blocks_pkey primary key (tenant_id, number)
);
create index audit_blocks_head on audit_blocks (tenant_id, head);

create table automatic_emails (
  tenant_id  uuid        not null,
  address    text        collate "C" not null,
  message_id uuid        not null,
  created_at timestamptz not null,
  constraint automatic_emails_pkey primary key (tenant_id, address, message_id)
);
create index automatic_emails_age on automatic_emails (tenant_id, created_at);

create table categories (
  tenant_id             uuid        not null,
  id                    uuid        not null,
  parent_id             uuid,
  name                  text        not null,
  name_key              text        not null,
  "position"            integer     not null,
  default_department_id uuid,
  default_priority      text,
  description           text,
  archived              boolean     not null,
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  version               integer     not null,
  public                boolean     not null default false,
  constraint categories_pkey primary key (tenant_id, id),
  constraint categories_tenant_id_default_department_id_fkey foreign key (tenant_id, default_department_id) references departments(tenant_id, id),
  constraint categories_tenant_id_parent_id_fkey foreign key (tenant_id, parent_id) references categories(tenant_id, id)
);
create index categories_below on categories (tenant_id, parent_id, "position", name_key, id);
create index categories_default_department on categories (tenant_id, default_department_id) where default_department_id is not null;
create index categories_order on categories (tenant_id, "position", name_key, id);
create unique index categories_siblings on categories (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), name_key);

create table companies (
  tenant_id     uuid        not null,
  id            uuid        not null,
  external_id   text,
  name          text        not null,
  name_key      text        not null,
  domains       text[]      not null,
  metadata      json        not null,
  archived      boolean     not null,
  search        tsvector    not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  version       integer     not null,
  custom_values jsonb,
  constraint companies_pkey primary key (tenant_id, id)
);
create unique index companies_external_id on companies (tenant_id, external_id) where external_id is not null;
create index companies_name on companies (tenant_id, name_key, id);
create index companies_search on companies using gin (search);

create table company_domains (
  tenant_id  uuid not null,
  domain     text not null,
  company_id uuid not null,
  constraint company_domains_pkey primary key (tenant_id, domain),
  constraint company_domains_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id)
);
create index company_domains_company on company_domains (tenant_id, company_id);

create table company_members (
  tenant_id   uuid not null,
  company_id  uuid not null,
  end_user_id uuid not null,
  constraint company_members_pkey primary key (tenant_id, company_id, end_user_id),
  constraint company_members_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id)
);
create index company_members_end_user on company_members (tenant_id, end_user_id);

create table console_links (
  token_hash   bytea       not null,
  workspace_id uuid        not null,
  email        text,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  constraint console_links_pkey primary key (token_hash),
  constraint console_links_workspace_id_fkey foreign key (workspace_id) references workspaces(id)
);
create index console_links_expiry on console_links (expires_at);

create table console_sessions (
  tenant_id    uuid        not null,
  id           uuid        not null,
  token_hash   bytea       not null,
  operator_id  uuid        not null,
  created_by   text        not null,
  user_agent   text,
  ip           text,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  revoked_at   timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  version      integer     not null,
  constraint console_sessions_pkey primary key (tenant_id, id),
  constraint console_sessions_tenant_id_operator_id_fkey foreign key (tenant_id, operator_id) references operators(tenant_id, id)
);
create index console_sessions_operator on console_sessions (tenant_id, operator_id, id);
create unique index console_sessions_token on console_sessions (tenant_id, token_hash);

create table conversation_holds (
  tenant_id       uuid        not null,
  conversation_id uuid        not null,
  id              uuid        not null,
  hold_reason_id  uuid        not null,
  note            text,
  since           timestamptz not null,
  until           timestamptz,
  ended_at        timestamptz,
  ended_by        text,
  constraint conversation_holds_pkey primary key (tenant_id, conversation_id, id),
  constraint conversation_holds_tenant_id_hold_reason_id_fkey foreign key (tenant_id, hold_reason_id) references hold_reasons(tenant_id, id)
);
create index conversation_holds_reason on conversation_holds (tenant_id, hold_reason_id);

create table conversation_moments (
  tenant_id          uuid        not null,
  conversation_id    uuid        not null,
  at                 timestamptz not null,
  status             text        not null,
  paused             boolean     not null,
  answered           boolean     not null,
  unanswered_since   timestamptz,
  priority           text        not null,
  sla_config_version integer,
  sla_config_id      uuid,
  constraint conversation_moments_pkey primary key (tenant_id, conversation_id, at)
);

create table conversation_participants (
  tenant_id       uuid        not null,
  end_user_id     uuid        not null,
  conversation_id uuid        not null,
  address         text,
  source          text        not null default 'api',
  confirmed       boolean     not null default true,
  since           timestamptz,
  constraint conversation_participants_pkey primary key (tenant_id, end_user_id, conversation_id)
);

create table conversation_removals (
  tenant_id       uuid    not null,
  conversation_id uuid    not null,
  kind            text    not null,
  after_sequence  integer not null,
  file_ids        uuid[]  not null,
  stream_ids      uuid[]  not null,
  epoch           integer,
  "position"      xid8,
  ordinal         integer,
  part            integer not null,
  constraint conversation_removals_pkey primary key (tenant_id, conversation_id),
  constraint conversation_removals_kind_check check (kind = any (array['delete', 'redact', 'delete_files']))
);

create table conversation_tags (
  tenant_id       uuid not null,
  tag_id          uuid not null,
  conversation_id uuid not null,
  constraint conversation_tags_pkey primary key (tenant_id, tag_id, conversation_id),
  constraint conversation_tags_tenant_id_tag_id_fkey foreign key (tenant_id, tag_id) references tags(tenant_id, id)
);

create table conversations (
  tenant_id           uuid        not null,
  id                  uuid        not null,
  external_user_id    text,
  subject             text,
  initiated_by_side   text        not null,
  channel             text        not null,
  priority            text        not null,
  language            text,
  external_id         text,
  metadata            json        not null,
  follow_up_of_id     uuid,
  status              text        not null,
  waiting_since       timestamptz,
  message_count       integer     not null,
  last_message_at     timestamptz,
  last_message_side   text,
  first_response_at   timestamptz,
  resolved_at         timestamptz,
  closed_at           timestamptz,
  reopened_count      integer     not null,
  merged_into_id      uuid,
  read_by_end_user    integer     not null,
  read_by_operator    integer     not null,
  unread_by_end_user  integer     not null,
  unread_by_operator  integer     not null,
  search              tsvector    not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  version             integer     not null,
  department_id       uuid,
  category_id         uuid,
  assignee_id         uuid,
  assignment_strategy text,
  assignment_reason   text,
  assigned_at         timestamptz,
  awaits_routing      boolean     not null default true,
  tag_ids             uuid[]      not null default '{}'::uuid[],
  waiting_on          text,
  hold_reason_id      uuid,
  hold_note           text,
  hold_since          timestamptz,
  hold_until          timestamptz,
  resumes_on_reply    boolean     not null default true,
  sla_config_id       uuid,
  sla_config_version  integer,
  sla_follows         integer,
  sla                 json,
  sla_due_at          timestamptz,
  unanswered_since    timestamptz,
  hold_pauses_sla     boolean     not null default true,
  end_user_id         uuid,
  company_id          uuid,
  participant_ids     uuid[]      not null default '{}'::uuid[],
  custom_values       jsonb,
  mailbox_id          uuid,
  constraint conversations_pkey primary key (tenant_id, id),
  constraint conversations_status_check check (status = any (array['new', 'open', 'pending', 'on_hold', 'resolved', 'closed'])),
  constraint conversations_tenant_id_assignee_id_fkey foreign key (tenant_id, assignee_id) references operators(tenant_id, id),
  constraint conversations_tenant_id_category_id_fkey foreign key (tenant_id, category_id) references categories(tenant_id, id),
  constraint conversations_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id),
  constraint conversations_tenant_id_department_id_fkey foreign key (tenant_id, department_id) references departments(tenant_id, id),
  constraint conversations_tenant_id_end_user_id_fkey foreign key (tenant_id, end_user_id) references end_users(tenant_id, id),
  constraint conversations_tenant_id_mailbox_id_fkey foreign key (tenant_id, mailbox_id) references mailboxes(tenant_id, id),
  constraint conversations_tenant_id_sla_config_id_fkey foreign key (tenant_id, sla_config_id) references sla_configs(tenant_id, id)
);
create index conversations_assignee_status on conversations (tenant_id, assignee_id, status, id) where assignee_id is not null;
create index conversations_category on conversations (tenant_id, category_id, id) where category_id is not null;
create index conversations_channel on conversations (tenant_id, channel, id) where channel <> 'api';
create index conversations_company on conversations (tenant_id, company_id, id) where company_id is not null;
create index conversations_department_status on conversations (tenant_id, department_id, status, id) where department_id is not null;
create index conversations_end_user on conversations (tenant_id, end_user_id, id) where end_user_id is not null;
create unique index conversations_external_id on conversations (tenant_id, external_id) where external_id is not null;
create index conversations_follow_ups on conversations (tenant_id, follow_up_of_id) where follow_up_of_id is not null;
create index conversations_last_message on conversations (tenant_id, coalesce(last_message_at, '-infinity'::timestamptz), id);
create index conversations_mailbox on conversations (tenant_id, mailbox_id, id) where mailbox_id is not null;
create index conversations_merged on conversations (tenant_id, merged_into_id) where merged_into_id is not null;
create index conversations_open_unclaimed on conversations (tenant_id, department_id, waiting_since, id) where assignee_id is null and waiting_on = 'operator' and status = 'open';
create index conversations_priority on conversations (tenant_id, priority, id) where priority <> 'normal';
create index conversations_search on conversations using gin (search);
create index conversations_sla_config on conversations (tenant_id, sla_config_id, sla_follows, id) where sla_config_id is not null;
create index conversations_status_due on conversations (tenant_id, status, coalesce(sla_due_at, 'infinity'::timestamptz), id);
create index conversations_status_id on conversations (tenant_id, status, id) where sla_due_at is not null;
create index conversations_unassigned on conversations (tenant_id, status, id) where assignee_id is null and status <> 'new';
create index conversations_updated on conversations (tenant_id, updated_at, id);
create index conversations_waiting on conversations (tenant_id, department_id, id) where awaits_routing and assignee_id is null and department_id is not null and (status = any (array['new', 'open', 'pending']));
create index conversations_without_end_user on conversations (tenant_id, external_user_id, id) where end_user_id is null;

create table custom_field_generations (
  tenant_id  uuid   not null,
  generation bigint not null,
  constraint custom_field_generations_pkey primary key (tenant_id)
);

create table custom_field_tasks (
  tenant_id  uuid not null,
  field_id   uuid not null,
  applies_to text not null,
  slot       text not null,
  fence      xid8,
  after      uuid not null,
  constraint custom_field_tasks_pkey primary key (tenant_id, field_id)
);

create table custom_field_values (
  tenant_id  uuid not null,
  field_id   uuid not null,
  value      text collate "C" not null,
  subject_id uuid not null,
  constraint custom_field_values_pkey primary key (tenant_id, field_id, value, subject_id)
);

create table custom_fields (
  tenant_id       uuid        not null,
  id              uuid        not null,
  slot            text        not null,
  applies_to      text        not null,
  key             text        not null,
  name            text        not null,
  description     text,
  type            text        not null,
  options         json        not null,
  required_on     text,
  end_user_access text        not null,
  indexed         boolean     not null,
  index_ready     boolean     not null,
  "position"      integer     not null,
  archived        boolean     not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  version         integer     not null,
  constraint custom_fields_pkey primary key (tenant_id, id),
  constraint custom_fields_applies_to_check check (applies_to = any (array['conversation', 'end_user', 'company']))
);
create unique index custom_fields_key on custom_fields (tenant_id, applies_to, key);
create index custom_fields_order on custom_fields (tenant_id, "position", id);
create unique index custom_fields_slot on custom_fields (tenant_id, slot);

create table department_members (
  tenant_id     uuid        not null,
  department_id uuid        not null,
  operator_id   uuid        not null,
  turn          bigint      not null,
  created_at    timestamptz not null,
  constraint department_members_pkey primary key (tenant_id, department_id, operator_id),
  constraint department_members_tenant_id_department_id_fkey foreign key (tenant_id, department_id) references departments(tenant_id, id),
  constraint department_members_tenant_id_operator_id_fkey foreign key (tenant_id, operator_id) references operators(tenant_id, id)
);
create index department_members_operator on department_members (tenant_id, operator_id);

create table department_turns (
  tenant_id     uuid   not null,
  department_id uuid   not null,
  turn          bigint not null,
  former        bigint,
  constraint department_turns_pkey primary key (tenant_id, department_id),
  constraint department_turns_tenant_id_department_id_fkey foreign key (tenant_id, department_id) references departments(tenant_id, id) on delete cascade
) with (fillfactor=50);

create table departments (
  tenant_id              uuid        not null,
  id                     uuid        not null,
  name                   text        not null,
  name_key               text        not null,
  description            text,
  email                  text,
  default_sla_config_id  uuid,
  assignment             json        not null,
  fallback_department_id uuid,
  archived               boolean     not null,
  metadata               json        not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  version                integer     not null,
  public                 boolean     not null default false,
  claim_order            text        not null default 'waiting',
  reply_assigns          boolean     not null default false,
  constraint departments_pkey primary key (tenant_id, id),
  constraint departments_tenant_id_name_key_key unique (tenant_id, name_key),
  constraint departments_tenant_id_default_sla_config_id_fkey foreign key (tenant_id, default_sla_config_id) references sla_configs(tenant_id, id),
  constraint departments_tenant_id_fallback_department_id_fkey foreign key (tenant_id, fallback_department_id) references departments(tenant_id, id)
);
create index departments_fallback on departments (tenant_id, fallback_department_id) where fallback_department_id is not null;
create index departments_sla_config on departments (tenant_id, default_sla_config_id) where default_sla_config_id is not null;

create table due_work (
  tenant_id   uuid        not null,
  duty        text        not null,
  subject_id  uuid        not null,
  due_at      timestamptz not null,
  appointment integer     not null default 1,
  attempts    integer     not null default 0,
  retry_at    timestamptz,
  constraint due_work_pkey primary key (tenant_id, duty, subject_id)
);
create index due_work_order on due_work (tenant_id, due_at, duty, subject_id);

create table email_contents (
  tenant_id  uuid not null,
  message_id uuid not null,
  headers    json not null,
  text       text,
  html       text,
  constraint email_contents_pkey primary key (tenant_id, message_id)
);

create table email_references (
  tenant_id       uuid        not null,
  reference       text        collate "C" not null,
  message_id      uuid        not null,
  conversation_id uuid        not null,
  is_sent         boolean     not null,
  created_at      timestamptz not null,
  constraint email_references_pkey primary key (tenant_id, reference, message_id)
);
create index email_references_conversation on email_references (tenant_id, conversation_id);
create index email_references_message on email_references (tenant_id, message_id);

create table email_senders (
  tenant_id   uuid not null,
  address     text collate "C" not null,
  end_user_id uuid not null,
  constraint email_senders_pkey primary key (tenant_id, address)
);
create index email_senders_end_user on email_senders (tenant_id, end_user_id);

create table email_suppressions (
  tenant_id  uuid        not null,
  id         uuid        not null,
  address    text        collate "C" not null,
  reason     text        not null,
  message_id uuid,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version    integer     not null,
  constraint email_suppressions_pkey primary key (tenant_id, id),
  constraint email_suppressions_tenant_id_address_key unique (tenant_id, address),
  constraint email_suppressions_reason_check check (reason = any (array['bounce', 'complaint', 'manual']))
);

create table end_user_addresses (
  tenant_id   uuid    not null,
  kind        text    not null,
  address     text    not null,
  end_user_id uuid    not null,
  is_verified boolean not null,
  constraint end_user_addresses_pkey primary key (tenant_id, kind, address, end_user_id),
  constraint end_user_addresses_tenant_id_end_user_id_fkey foreign key (tenant_id, end_user_id) references end_users(tenant_id, id)
);
create index end_user_addresses_owner on end_user_addresses (tenant_id, end_user_id);
create unique index end_user_addresses_verified on end_user_addresses (tenant_id, kind, address) where is_verified;

create table end_user_generations (
  tenant_id  uuid   not null,
  generation bigint not null,
  constraint end_user_generations_pkey primary key (tenant_id)
);

create table end_user_sessions (
  tenant_id        uuid        not null,
  id               uuid        not null,
  token_hash       bytea       not null,
  end_user_id      uuid        not null,
  conversation_id  uuid,
  created_by       text        not null,
  lifetime_seconds integer     not null,
  expires_at       timestamptz not null,
  revoked_at       timestamptz,
  last_used_at     timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  version          integer     not null,
  constraint end_user_sessions_pkey primary key (tenant_id, id)
);
create index end_user_sessions_end_user on end_user_sessions (tenant_id, end_user_id, id);
create unique index end_user_sessions_token on end_user_sessions (tenant_id, token_hash);

create table end_users (
  tenant_id         uuid        not null,
  id                uuid        not null,
  external_id       text        collate "C",
  name              text,
  name_key          text        not null,
  emails            json        not null,
  phones            text[]      not null,
  language          text,
  timezone          text,
  avatar_url        text,
  company_ids       uuid[]      not null,
  metadata          json        not null,
  verified_at       timestamptz,
  last_seen_at      timestamptz,
  blocked_at        timestamptz,
  blocked_until     timestamptz,
  block_reason      text,
  merged_into_id    uuid,
  erased_at         timestamptz,
  search            tsvector,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  version           integer     not null,
  custom_values     jsonb,
  legal_hold_reason text,
  legal_hold_since  timestamptz,
  constraint end_users_pkey primary key (tenant_id, id)
);
create index end_users_aliases on end_users (tenant_id, merged_into_id) where merged_into_id is not null;
create unique index end_users_external_id on end_users (tenant_id, external_id);
create index end_users_name on end_users (tenant_id, name_key, id);
create index end_users_search on end_users using gin (search) where search is not null;
create index end_users_seen on end_users (tenant_id, coalesce(last_seen_at, '-infinity'::timestamptz), id);

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
  end_users_may_resolve    boolean     not null default false,
  file_types_denied        text[],
  claim_order              text        not null default 'waiting',
  reply_assigns            boolean     not null default false,
  constraint environments_pkey primary key (id),
  constraint environments_workspace_id_kind_key unique (workspace_id, kind),
  constraint environments_clock_offset_ms_check check (clock_offset_ms >= 0),
  constraint environments_kind_check check (kind = any (array['live', 'test'])),
  constraint environments_workspace_id_fkey foreign key (workspace_id) references workspaces(id)
);

create table erasures (
  tenant_id         uuid        not null,
  id                uuid        not null,
  end_user_id       uuid        not null,
  mode              text        not null,
  counts            json        not null,
  audit_head_before text,
  audit_head_after  text,
  exports           text[]      not null,
  completed_at      timestamptz not null,
  sha256            text        not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  version           integer     not null,
  constraint erasures_pkey primary key (tenant_id, id),
  constraint erasures_mode_check check (mode = any (array['anonymise', 'delete']))
);
create index erasures_end_user on erasures (tenant_id, end_user_id, id);

create table events (
  tenant_id        uuid        not null,
  epoch            integer     not null default 2147483647,
  "position"       xid8        not null,
  ordinal          integer     not null default 0,
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
  erased           json,
  audited          text,
  related          json,
  constraint events_pkey primary key (tenant_id, epoch, "position", ordinal)
);
create index events_stream on events (tenant_id, stream_id, epoch, "position", ordinal);

create table faqs (
  tenant_id     uuid        not null,
  id            uuid        not null,
  question      text        not null,
  answer        text        not null,
  answer_html   text        not null,
  locale        text        not null,
  locale_key    text        not null,
  category_id   uuid,
  kb_article_id uuid,
  "position"    integer     not null,
  status        text        not null,
  tag_ids       uuid[]      not null,
  archived      boolean     not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  version       integer     not null,
  constraint faqs_pkey primary key (tenant_id, id),
  constraint faqs_status_check check (status = any (array['draft', 'published'])),
  constraint faqs_tenant_id_category_id_fkey foreign key (tenant_id, category_id) references categories(tenant_id, id),
  constraint faqs_tenant_id_kb_article_id_fkey foreign key (tenant_id, kb_article_id) references kb_articles(tenant_id, id)
);
create index faqs_category on faqs (tenant_id, category_id, "position", id) where category_id is not null;
create index faqs_kb_article on faqs (tenant_id, kb_article_id) where kb_article_id is not null;
create index faqs_position on faqs (tenant_id, "position", id);
create index faqs_tags on faqs using gin (tag_ids);

create table file_tasks (
  tenant_id uuid        not null,
  file_id   uuid        not null,
  task      text        not null,
  copies    integer     not null,
  due_at    timestamptz not null,
  final_at  timestamptz not null,
  failures  integer     not null,
  constraint file_tasks_pkey primary key (tenant_id, file_id, task),
  constraint file_tasks_task_check check (task = any (array['scan', 'tidy']))
);
create index file_tasks_due on file_tasks (tenant_id, task, due_at);

create table files (
  tenant_id         uuid        not null,
  id                uuid        not null,
  filename          text        not null,
  content_type      text        not null,
  size_bytes        bigint      not null,
  sha256            text,
  status            text        not null,
  rejected_reason   text,
  end_user_id       uuid,
  conversation_id   uuid,
  in_knowledge_base boolean     not null,
  use_count         integer     not null,
  copy              integer,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  version           integer     not null,
  required_scopes   text[],
  constraint files_pkey primary key (tenant_id, id),
  constraint files_status_check check (status = any (array['awaiting_upload', 'scanning', 'ready', 'rejected']))
);
create index files_unused on files (tenant_id, end_user_id) where use_count = 0 and end_user_id is not null;

create table followers (
  tenant_id       uuid        not null,
  conversation_id uuid        not null,
  operator_id     uuid        not null,
  source          text        not null,
  since           timestamptz not null,
  place           integer,
  removed_at      timestamptz,
  constraint followers_pkey primary key (tenant_id, conversation_id, operator_id),
  constraint followers_place unique (tenant_id, conversation_id, place),
  constraint followers_check check ((place is null) = (removed_at is not null)),
  constraint followers_place_check check (place >= 1 and place <= 50)
);
create index followers_operator on followers (tenant_id, operator_id, conversation_id) where removed_at is null;

create table former_participants (
  tenant_id       uuid not null,
  end_user_id     uuid not null,
  conversation_id uuid not null,
  constraint former_participants_pkey primary key (tenant_id, end_user_id, conversation_id)
);

create table hold_reasons (
  tenant_id                uuid        not null,
  id                       uuid        not null,
  name                     text        not null,
  name_key                 text        not null,
  description              text,
  waiting_on               text        not null,
  pauses_sla               boolean     not null,
  resumes_on_reply         boolean     not null,
  requires_note            boolean     not null,
  default_duration_seconds integer,
  max_duration_seconds     integer,
  on_expiry                text        not null,
  follow_up_every_seconds  integer,
  follow_up_template_id    uuid,
  follow_up_max_count      integer,
  archived                 boolean     not null,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  version                  integer     not null,
  constraint hold_reasons_pkey primary key (tenant_id, id),
  constraint hold_reasons_tenant_id_name_key_key unique (tenant_id, name_key),
  constraint hold_reasons_tenant_id_follow_up_template_id_fkey foreign key (tenant_id, follow_up_template_id) references message_templates(tenant_id, id)
);
create index hold_reasons_template on hold_reasons (tenant_id, follow_up_template_id) where follow_up_template_id is not null;

create table idempotency_keys (
  tenant_id       uuid        not null,
  key             text        not null,
  fingerprint     bytea       not null,
  request_id      text        not null,
  created_at      timestamptz not null,
  status          smallint    not null,
  location        text,
  etag            text,
  own_body        text,
  sealed          bytea,
  resource_id     uuid,
  event_stream_id uuid,
  event_id        uuid,
  written_at      timestamptz,
  constraint idempotency_keys_pkey primary key (tenant_id, key)
);
create index idempotency_keys_age on idempotency_keys using brin (created_at) with (autosummarize='on');
create index idempotency_keys_resource on idempotency_keys (tenant_id, resource_id) where resource_id is not null;

create table identity_keys (
  tenant_id     uuid        not null,
  id            uuid        not null,
  name          text        not null,
  algorithm     text        not null,
  public_key    text,
  sealed_secret bytea,
  issuer        text,
  audience      text,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  version       integer     not null,
  constraint identity_keys_pkey primary key (tenant_id, id)
);

create table import_mappings (
  tenant_id   uuid not null,
  type        text not null,
  external_id text collate "C" not null,
  source      text not null,
  object_id   uuid not null,
  constraint import_mappings_pkey primary key (tenant_id, type, external_id, source)
);
create index import_mappings_end_users on import_mappings (tenant_id, object_id) where type = 'end_user';

create table inbound_email_bytes (
  tenant_id        uuid  not null,
  inbound_email_id uuid  not null,
  bytes            bytea not null,
  constraint inbound_email_bytes_pkey primary key (tenant_id, inbound_email_id)
);

create table inbound_emails (
  tenant_id           uuid        not null,
  id                  uuid        not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  version             integer     not null,
  mailbox_id          uuid,
  source              text        not null,
  status              text        not null,
  reason              text,
  conversation_id     uuid,
  message_id          uuid,
  end_user_id         uuid,
  header_message_id   text        collate "C",
  threaded_by         text,
  sender              json,
  to_addresses        json        not null,
  cc_addresses        json        not null,
  reply_to            json        not null,
  subject             text,
  date                timestamptz,
  mail_from           text,
  rcpt_to             text[]      not null,
  authentication      json,
  automatic           text,
  auto_reply          text,
  warnings            text[]      not null,
  dropped_attachments json        not null,
  size_bytes          integer     not null,
  duplicate_count     integer     not null,
  content_hash        text        collate "C" not null,
  from_address        text        collate "C",
  raw_file_id         uuid,
  kept                text        not null,
  leased_until        timestamptz,
  attempts            integer     not null,
  constraint inbound_emails_pkey primary key (tenant_id, id),
  constraint inbound_emails_content unique (tenant_id, content_hash),
  constraint inbound_emails_kept_check check (kept = any (array['all', 'texts', 'none']))
);
create index inbound_emails_conversation on inbound_emails (tenant_id, conversation_id, id) where conversation_id is not null;
create index inbound_emails_end_user on inbound_emails (tenant_id, end_user_id, id) where end_user_id is not null;
create index inbound_emails_expiring on inbound_emails (tenant_id, created_at) where kept = 'all' and (status = any (array['ignored', 'failed', 'bounce']));
create index inbound_emails_header_message_id on inbound_emails (tenant_id, header_message_id, id);
create index inbound_emails_mailbox on inbound_emails (tenant_id, mailbox_id, id);
create index inbound_emails_message on inbound_emails (tenant_id, message_id) where message_id is not null;
create index inbound_emails_sender on inbound_emails (tenant_id, from_address, id);
create index inbound_emails_status on inbound_emails (tenant_id, status, id);
create index inbound_emails_waiting on inbound_emails (tenant_id, leased_until, id) where status = 'received';

create table installation_secrets (
  name  text  not null,
  value bytea not null,
  constraint installation_secrets_pkey primary key (name)
);

create table invitations (
  tenant_id    uuid        not null,
  id           uuid        not null,
  operator_id  uuid        not null,
  number       integer     not null,
  token_hash   bytea       not null,
  email        text        not null,
  role         text        not null,
  highest_role text        not null,
  environments text[]      not null,
  expires_at   timestamptz not null,
  accepted_at  timestamptz,
  revoked_at   timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  version      integer     not null,
  constraint invitations_pkey primary key (tenant_id, id)
);
create unique index invitations_number on invitations (tenant_id, operator_id, number);
create unique index invitations_token on invitations (tenant_id, token_hash);

create table job_results (
  tenant_id uuid    not null,
  job_id    uuid    not null,
  place     integer not null,
  status    text    not null,
  object_id text,
  errors    json,
  changes   json,
  constraint job_results_pkey primary key (tenant_id, job_id, place),
  constraint job_results_status_check check (status = any (array['succeeded', 'failed']))
);
create index job_results_failed on job_results (tenant_id, job_id, place) where status = 'failed';

create table job_selections (
  tenant_id   uuid    not null,
  job_id      uuid    not null,
  first_place integer not null,
  ids         uuid[]  not null,
  constraint job_selections_pkey primary key (tenant_id, job_id, first_place)
);

create table jobs (
  tenant_id     uuid        not null,
  id            uuid        not null,
  type          text        not null,
  status        text        not null,
  dry_run       boolean     not null,
  params        json        not null,
  starter       json        not null,
  state         json        not null,
  done          integer     not null,
  total         integer,
  failed        integer     not null,
  result        json,
  error         json,
  started_at    timestamptz,
  ended_at      timestamptz,
  expires_at    timestamptz,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  version       integer     not null,
  attempts      integer     not null default 0,
  erases_params boolean     not null default false,
  constraint jobs_pkey primary key (tenant_id, id),
  constraint jobs_status_check check (status = any (array['queued', 'running', 'succeeded', 'completed_with_errors', 'failed', 'cancelled']))
) with (fillfactor=70);
create unique index jobs_erasure on jobs (tenant_id, (params ->> 'end_user_id')) where type = 'erasure' and ended_at is null and not dry_run;

create table journal_floors (
  tenant_id  uuid    not null,
  epoch      integer not null,
  "position" xid8    not null,
  ordinal    integer not null,
  constraint journal_floors_pkey primary key (tenant_id)
);

create table journal_heads (
  tenant_id  uuid   not null,
  "position" bigint not null,
  constraint journal_heads_pkey primary key (tenant_id)
) with (fillfactor=10);

create table journal_positions (
  tenant_id  uuid    not null,
  follower   text    not null,
  epoch      integer not null,
  "position" xid8    not null,
  ordinal    integer not null,
  constraint journal_positions_pkey primary key (tenant_id, follower)
);

create table kb_article_files (
  tenant_id  uuid not null,
  article_id uuid not null,
  file_id    uuid not null,
  constraint kb_article_files_pkey primary key (tenant_id, article_id, file_id),
  constraint kb_article_files_tenant_id_file_id_fkey foreign key (tenant_id, file_id) references files(tenant_id, id)
);
create index kb_article_files_article on kb_article_files (article_id, file_id);
create index kb_article_files_file on kb_article_files (tenant_id, file_id);

create table kb_article_versions (
  tenant_id    uuid        not null,
  article_id   uuid        not null,
  version      integer     not null,
  title        text        not null,
  body         text        not null,
  excerpt      text,
  published_at timestamptz not null,
  published_by json        not null,
  constraint kb_article_versions_pkey primary key (tenant_id, article_id, version)
);

create table kb_articles (
  tenant_id               uuid        not null,
  id                      uuid        not null,
  collection_id           uuid,
  slug                    text        not null,
  locale                  text        not null,
  locale_key              text        not null,
  title                   text,
  body                    text,
  body_html               text        not null,
  excerpt                 text,
  author_id               uuid,
  tag_ids                 uuid[]      not null,
  metadata                json        not null,
  translation_of_id       uuid,
  family_id               uuid        not null,
  status                  text        not null,
  published               json,
  published_body          text,
  published_body_html     text,
  published_collection_id uuid,
  published_locale_key    text,
  published_author_id     uuid,
  published_tag_ids       uuid[]      not null,
  published_version       integer,
  published_at            timestamptz,
  has_unpublished_changes boolean     not null,
  last_version            integer     not null,
  publish_at              timestamptz,
  publish_by              json,
  former_slugs            text[]      not null,
  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  version                 integer     not null,
  constraint kb_articles_pkey primary key (tenant_id, id),
  constraint kb_articles_status_check check (status = any (array['draft', 'published', 'archived'])),
  constraint kb_articles_tenant_id_author_id_fkey foreign key (tenant_id, author_id) references operators(tenant_id, id),
  constraint kb_articles_tenant_id_collection_id_fkey foreign key (tenant_id, collection_id) references kb_collections(tenant_id, id),
  constraint kb_articles_tenant_id_published_author_id_fkey foreign key (tenant_id, published_author_id) references operators(tenant_id, id),
  constraint kb_articles_tenant_id_published_collection_id_fkey foreign key (tenant_id, published_collection_id) references kb_collections(tenant_id, id),
  constraint kb_articles_tenant_id_translation_of_id_fkey foreign key (tenant_id, translation_of_id) references kb_articles(tenant_id, id)
);
create index kb_articles_author on kb_articles (tenant_id, author_id) where author_id is not null;
create index kb_articles_collection on kb_articles (tenant_id, collection_id, id) where collection_id is not null;
create unique index kb_articles_family on kb_articles (tenant_id, family_id, locale_key);
create index kb_articles_published_author on kb_articles (tenant_id, published_author_id) where published_author_id is not null;
create index kb_articles_published_collection on kb_articles (tenant_id, published_collection_id, id) where published_collection_id is not null;
create index kb_articles_published_tags on kb_articles using gin (published_tag_ids);
create index kb_articles_tags on kb_articles using gin (tag_ids);
create index kb_articles_translations on kb_articles (tenant_id, translation_of_id) where translation_of_id is not null;
create index kb_articles_updated on kb_articles (tenant_id, updated_at, id);

create table kb_collections (
  tenant_id   uuid        not null,
  id          uuid        not null,
  parent_id   uuid,
  name        text        not null,
  name_key    text        not null,
  slug        text        not null,
  slug_key    text        not null,
  "position"  integer     not null,
  description text,
  archived    boolean     not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  version     integer     not null,
  constraint kb_collections_pkey primary key (tenant_id, id),
  constraint kb_collections_tenant_id_parent_id_fkey foreign key (tenant_id, parent_id) references kb_collections(tenant_id, id)
);
create index kb_collections_below on kb_collections (tenant_id, parent_id, "position", name_key, id);
create unique index kb_collections_names on kb_collections (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), name_key);
create index kb_collections_order on kb_collections (tenant_id, "position", name_key, id);
create unique index kb_collections_slugs on kb_collections (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), slug_key);

create table kb_searches (
  tenant_id        uuid        not null,
  query            text        collate "C" not null,
  locale           text        collate "C" not null,
  article_searches integer     not null,
  article_found    integer     not null,
  faq_searches     integer     not null,
  faq_found        integer     not null,
  last_searched_at timestamptz not null,
  last_found_at    timestamptz,
  constraint kb_searches_pkey primary key (tenant_id, query, locale)
);
create index kb_searches_last on kb_searches (tenant_id, last_searched_at);

create table kb_slugs (
  tenant_id  uuid    not null,
  locale_key text    not null,
  slug_key   text    not null,
  article_id uuid    not null,
  held       boolean not null,
  constraint kb_slugs_pkey primary key (tenant_id, locale_key, slug_key)
);
create index kb_slugs_article on kb_slugs (tenant_id, article_id);

create table knowledge_tags (
  tenant_id  uuid not null,
  tag_id     uuid not null,
  subject_id uuid not null,
  constraint knowledge_tags_pkey primary key (tenant_id, tag_id, subject_id),
  constraint knowledge_tags_tenant_id_tag_id_fkey foreign key (tenant_id, tag_id) references tags(tenant_id, id)
);

create table leases (
  tenant_id    uuid        not null,
  holder       uuid        not null,
  leased_until timestamptz not null,
  work         text        not null,
  constraint leases_pkey primary key (tenant_id, work)
);

create table macro_uses (
  tenant_id uuid        not null,
  macro_id  uuid        not null,
  id        uuid        not null,
  used_at   timestamptz not null,
  constraint macro_uses_pkey primary key (tenant_id, macro_id, id)
);

create table macros (
  tenant_id      uuid        not null,
  id             uuid        not null,
  name           text        not null,
  name_key       text        not null,
  description    text,
  actions        json        not null,
  department_ids uuid[]      not null,
  "position"     integer     not null,
  archived       boolean     not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  version        integer     not null,
  constraint macros_pkey primary key (tenant_id, id),
  constraint macros_tenant_id_name_key_key unique (tenant_id, name_key)
);
create index macros_position on macros (tenant_id, "position", name_key, id);

create table mailbox_addresses (
  tenant_id  uuid not null,
  address    text collate "C" not null,
  mailbox_id uuid not null,
  constraint mailbox_addresses_pkey primary key (tenant_id, address),
  constraint mailbox_addresses_tenant_id_mailbox_id_fkey foreign key (tenant_id, mailbox_id) references mailboxes(tenant_id, id)
);
create index mailbox_addresses_address on mailbox_addresses (address);
create index mailbox_addresses_mailbox on mailbox_addresses (tenant_id, mailbox_id);

create table mailboxes (
  tenant_id              uuid        not null,
  id                     uuid        not null,
  address                text        not null,
  aliases                text[]      not null,
  from_name              text,
  signature              text,
  department_id          uuid,
  outbound               text        not null,
  smtp                   json,
  smtp_password_sealed   bytea,
  status                 text        not null,
  plus_addressing        boolean     not null,
  trusted_authserv_ids   text[]      not null,
  reply_to_senders       text[]      not null,
  auto_reply_template_id uuid,
  auto_reply_to          text,
  quote                  text        not null,
  attach_max_bytes       integer     not null,
  rate_per_minute        integer     not null,
  verified_at            timestamptz,
  archived               boolean     not null,
  metadata               json        not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  version                integer     not null,
  constraint mailboxes_pkey primary key (tenant_id, id),
  constraint mailboxes_outbound_check check (outbound = any (array['client', 'smtp'])),
  constraint mailboxes_quote_check check (quote = any (array['none', 'last'])),
  constraint mailboxes_status_check check (status = any (array['enabled', 'paused'])),
  constraint mailboxes_tenant_id_auto_reply_template_id_fkey foreign key (tenant_id, auto_reply_template_id) references message_templates(tenant_id, id),
  constraint mailboxes_tenant_id_department_id_fkey foreign key (tenant_id, department_id) references departments(tenant_id, id)
);
create index mailboxes_department on mailboxes (tenant_id, department_id) where department_id is not null;
create index mailboxes_id on mailboxes (id);
create index mailboxes_template on mailboxes (tenant_id, auto_reply_template_id) where auto_reply_template_id is not null;

create table message_external_ids (
  tenant_id   uuid not null,
  external_id text not null,
  message_id  uuid not null,
  constraint message_external_ids_pkey primary key (tenant_id, external_id)
);

create table message_files (
  tenant_id  uuid not null,
  message_id uuid not null,
  file_id    uuid not null,
  constraint message_files_pkey primary key (tenant_id, message_id, file_id),
  constraint message_files_tenant_id_file_id_fkey foreign key (tenant_id, file_id) references files(tenant_id, id)
);
create index message_files_file on message_files (tenant_id, file_id);

create table message_revisions (
  tenant_id   uuid        not null,
  message_id  uuid        not null,
  version     integer     not null,
  body        text        not null,
  written_at  timestamptz not null,
  replaced_at timestamptz not null,
  constraint message_revisions_pkey primary key (tenant_id, message_id, version)
);

create table message_templates (
  tenant_id   uuid        not null,
  id          uuid        not null,
  name        text        not null,
  name_key    text        not null,
  folder      text,
  body        text        not null,
  body_format text        not null,
  locale      text,
  variants    json        not null,
  variables   text[]      not null,
  archived    boolean     not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  version     integer     not null,
  constraint message_templates_pkey primary key (tenant_id, id),
  constraint message_templates_tenant_id_name_key_key unique (tenant_id, name_key)
);

create table messages (
  tenant_id          uuid        not null,
  id                 uuid        not null,
  conversation_id    uuid        not null,
  sequence           integer     not null,
  author_side        text        not null,
  operator_id        uuid,
  body               text        not null,
  body_format        text        not null,
  visibility         text        not null,
  in_reply_to_id     uuid,
  external_id        text,
  metadata           json        not null,
  edited_at          timestamptz,
  redacted_at        timestamptz,
  search             tsvector    not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  version            integer     not null,
  template_id        uuid,
  author_end_user_id uuid,
  attachments        json,
  body_html          text,
  email              json,
  delivery           json,
  mentions           uuid[],
  constraint messages_pkey primary key (tenant_id, id),
  constraint messages_tenant_id_conversation_id_sequence_key unique (tenant_id, conversation_id, sequence),
  constraint messages_template_fkey foreign key (tenant_id, template_id) references message_templates(tenant_id, id),
  constraint messages_tenant_id_operator_id_fkey foreign key (tenant_id, operator_id) references operators(tenant_id, id)
);
create unique index messages_external_id on messages (tenant_id, external_id) where external_id is not null;
create index messages_operator on messages (tenant_id, operator_id) where operator_id is not null;
create index messages_search on messages using gin (search);
create index messages_template on messages (tenant_id, template_id) where template_id is not null;

create table migrations (
  number     integer     not null,
  name       text        not null,
  checksum   text        not null,
  applied_at timestamptz not null default now(),
  constraint migrations_pkey primary key (number)
);

create table notification_preferences (
  tenant_id  uuid        not null,
  id         uuid        not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version    integer     not null,
  kinds      json        not null,
  follow     json        not null,
  constraint notification_preferences_pkey primary key (tenant_id, id)
);

create table notification_readings (
  tenant_id       uuid        not null,
  id              uuid        not null,
  operator_id     uuid        not null,
  epoch           integer     not null,
  "position"      xid8        not null,
  ordinal         integer     not null,
  read_at         timestamptz not null,
  conversation_id uuid,
  kinds           text[]      not null,
  up_to_sequence  integer,
  up_to           timestamptz,
  constraint notification_readings_pkey primary key (tenant_id, id)
);

create table notifications (
  tenant_id         uuid        not null,
  id                uuid        not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  version           integer     not null,
  operator_id       uuid        not null,
  kind              text        not null,
  reason            text        not null,
  conversation_id   uuid        not null,
  message_id        uuid,
  message_sequence  integer,
  event_id          uuid        not null,
  actor_type        text        not null,
  actor_id          text,
  actor_operator_id text,
  sla_metric        text,
  count             integer     not null,
  read_at           timestamptz,
  notified_at       timestamptz not null,
  constraint notifications_pkey primary key (tenant_id, id)
);
create index notifications_conversation on notifications (tenant_id, conversation_id);
create index notifications_notified on notifications (tenant_id, notified_at);
create index notifications_operator on notifications (tenant_id, operator_id, notified_at, id);
create unique index notifications_unread on notifications (tenant_id, operator_id, conversation_id, kind) where read_at is null;

create table operator_loads (
  tenant_id     uuid    not null,
  operator_id   uuid    not null,
  department_id uuid    not null,
  open          integer not null,
  most          integer,
  constraint operator_loads_pkey primary key (tenant_id, operator_id, department_id)
) with (fillfactor=80);

create table operator_status_periods (
  tenant_id   uuid        not null,
  operator_id uuid        not null,
  started_at  timestamptz not null,
  status      text        not null,
  reason      text,
  constraint operator_status_periods_pkey primary key (tenant_id, operator_id, started_at),
  constraint operator_status_periods_tenant_id_operator_id_fkey foreign key (tenant_id, operator_id) references operators(tenant_id, id)
);

create table operators (
  tenant_id          uuid        not null,
  id                 uuid        not null,
  name               text        not null,
  name_key           text        not null,
  email              text        not null,
  email_key          text        not null,
  external_id        text,
  role               text        not null,
  capacity           integer,
  timezone           text,
  archived           boolean     not null,
  metadata           json        not null,
  status             text        not null,
  status_reason      text,
  status_since       timestamptz not null,
  status_until       timestamptz,
  status_then        text,
  offline_by_hand    boolean     not null,
  open_conversations integer     not null default 0,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  version            integer     not null,
  constraint operators_pkey primary key (tenant_id, id),
  constraint operators_tenant_id_email_key_key unique (tenant_id, email_key),
  constraint operators_role_check check (role = any (array['agent', 'lead', 'admin'])),
  constraint operators_status_check check (status = any (array['online', 'away', 'busy', 'offline']))
) with (fillfactor=80);
create unique index operators_external_id on operators (tenant_id, external_id) where external_id is not null;
create index operators_name on operators (tenant_id, name_key, id);

create table outgoing_emails (
  tenant_id       uuid        not null,
  message_id      uuid        not null,
  mailbox_id      uuid        not null,
  mail_from       text        not null,
  files           json        not null,
  due_at          timestamptz,
  taken_by        uuid,
  taken_until     timestamptz,
  is_open         boolean     not null default false,
  unanswered      integer     not null default 0,
  attempts_before integer     not null default 0,
  sent_at         timestamptz,
  constraint outgoing_emails_pkey primary key (tenant_id, message_id),
  constraint outgoing_emails_tenant_id_mailbox_id_fkey foreign key (tenant_id, mailbox_id) references mailboxes(tenant_id, id)
);
create index outgoing_emails_due on outgoing_emails (tenant_id, mailbox_id, due_at, message_id) where due_at is not null;
create index outgoing_emails_rate on outgoing_emails (tenant_id, mailbox_id, sent_at) where sent_at is not null;

create table read_states (
  tenant_id       uuid        not null,
  conversation_id uuid        not null,
  operator_id     uuid        not null,
  up_to_sequence  integer     not null,
  own_after       integer     not null,
  marked_at       timestamptz not null,
  constraint read_states_pkey primary key (tenant_id, conversation_id, operator_id)
);
create index read_states_age on read_states (tenant_id, marked_at);

create table request_log (
  tenant_id           uuid        not null,
  id                  uuid        not null,
  created_at          timestamptz not null,
  duration_ms         integer     not null,
  status              integer     not null,
  method              text        not null,
  route               text,
  path                text        not null,
  code                text,
  key_id              uuid,
  console_session_id  uuid,
  end_user_session_id uuid,
  operator_id         uuid,
  is_replay           boolean,
  original_request_id uuid,
  network             text,
  constraint request_log_pkey primary key (tenant_id, id)
);

create table retention_policies (
  tenant_id     uuid        not null,
  id            uuid        not null,
  name          text        not null,
  name_key      text        not null,
  filter        json        not null,
  after_seconds integer     not null,
  action        text        not null,
  status        text        not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  version       integer     not null,
  constraint retention_policies_pkey primary key (tenant_id, id),
  constraint retention_policies_action_check check (action = any (array['redact', 'delete_files', 'delete']))
);
create unique index retention_policies_name on retention_policies (tenant_id, name_key);

create table scheduled_messages (
  tenant_id       uuid        not null,
  id              uuid        not null,
  conversation_id uuid        not null,
  send_at         timestamptz not null,
  author_side     text        not null,
  operator_id     uuid,
  body            text        not null,
  body_format     text        not null,
  visibility      text        not null,
  template_id     uuid,
  in_reply_to_id  uuid,
  external_id     text,
  set_status      text,
  metadata        json        not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  version         integer     not null,
  attachments     json,
  body_html       text,
  email           json,
  mentions        uuid[],
  constraint scheduled_messages_pkey primary key (tenant_id, id)
);
create index scheduled_messages_conversation on scheduled_messages (tenant_id, conversation_id, send_at, id);

create table search_documents (
  tenant_id     uuid     not null,
  kind          text     not null,
  id            uuid     not null,
  family_id     uuid     not null,
  locale_key    text     not null,
  collection_id uuid,
  head          tsvector not null,
  tokens        tsvector not null,
  text          text     not null,
  constraint search_documents_pkey primary key (tenant_id, kind, id)
) with (toast_tuple_target=128);
create index search_documents_tokens on search_documents using gin (tokens) with (fastupdate=off);

create table search_words (
  tenant_id uuid     not null,
  word      text     not null,
  trigrams  tsvector not null,
  constraint search_words_pkey primary key (tenant_id, word)
);
create index search_words_trigrams on search_words using gin (trigrams) with (fastupdate=off);

create table sla_config_tags (
  tenant_id     uuid not null,
  tag_id        uuid not null,
  sla_config_id uuid not null,
  constraint sla_config_tags_pkey primary key (tenant_id, tag_id, sla_config_id),
  constraint sla_config_tags_tenant_id_tag_id_fkey foreign key (tenant_id, tag_id) references tags(tenant_id, id)
);

create table sla_config_versions (
  tenant_id     uuid    not null,
  sla_config_id uuid    not null,
  version       integer not null,
  terms         json    not null,
  constraint sla_config_versions_pkey primary key (tenant_id, sla_config_id, version)
);

create table sla_configs (
  tenant_id         uuid        not null,
  id                uuid        not null,
  name              text        not null,
  name_key          text        not null,
  description       text,
  "position"        integer     not null,
  department_ids    uuid[]      not null,
  category_ids      uuid[]      not null,
  priorities        text[]      not null,
  channels          text[]      not null,
  tag_ids           uuid[]      not null,
  targets           json        not null,
  schedule          json,
  pauses_on_pending boolean     not null,
  warn_at_percent   integer,
  archived          boolean     not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  version           integer     not null,
  company_ids       uuid[]      not null default '{}'::uuid[],
  constraint sla_configs_pkey primary key (tenant_id, id),
  constraint sla_configs_tenant_id_name_key_key unique (tenant_id, name_key)
);
create index sla_configs_position on sla_configs (tenant_id, "position", id);

create table sla_generations (
  tenant_id  uuid   not null,
  generation bigint not null,
  constraint sla_generations_pkey primary key (tenant_id)
);

create table tags (
  tenant_id      uuid        not null,
  id             uuid        not null,
  name           text        not null,
  name_key       text        not null,
  color          text,
  description    text,
  archived       boolean     not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  version        integer     not null,
  merged_into_id uuid,
  constraint tags_pkey primary key (tenant_id, id),
  constraint tags_tenant_id_name_key_key unique (tenant_id, name_key),
  constraint tags_tenant_id_merged_into_id_fkey foreign key (tenant_id, merged_into_id) references tags(tenant_id, id)
);
create index tags_aliases on tags (tenant_id, merged_into_id) where merged_into_id is not null;

create table test_clock_advances (
  tenant_id        uuid   not null,
  idempotency_key  text   not null,
  target_offset_ms bigint not null,
  constraint test_clock_advances_pkey primary key (tenant_id, idempotency_key)
);

create table tree_versions (
  tenant_id uuid   not null,
  tree      text   not null,
  version   bigint not null,
  constraint tree_versions_pkey primary key (tenant_id, tree)
);

create table unsent_messages (
  tenant_id       uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  constraint unsent_messages_pkey primary key (tenant_id, id)
);

create table views (
  tenant_id      uuid        not null,
  id             uuid        not null,
  name           text        not null,
  name_key       text        not null,
  description    text,
  applies_to     text        not null,
  filter         json        not null,
  sort           text        not null,
  columns        text[]      not null,
  operator_ids   uuid[]      not null,
  department_ids uuid[]      not null,
  "position"     integer     not null,
  archived       boolean     not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  version        integer     not null,
  constraint views_pkey primary key (tenant_id, id),
  constraint views_applies_to_check check (applies_to = any (array['conversation', 'end_user']))
);
create unique index views_name on views (tenant_id, name_key);
create index views_order on views (tenant_id, "position", id);

create table vote_counts (
  tenant_id  uuid    not null,
  subject_id uuid    not null,
  helpful    integer not null,
  unhelpful  integer not null,
  constraint vote_counts_pkey primary key (tenant_id, subject_id)
) with (fillfactor=80);

create table votes (
  tenant_id        uuid    not null,
  subject_id       uuid    not null,
  external_user_id text    not null,
  helpful          boolean not null,
  constraint votes_pkey primary key (tenant_id, subject_id, external_user_id)
);

create table webhook_deliveries (
  tenant_id       uuid        not null,
  id              uuid        not null,
  endpoint_id     uuid        not null,
  event_id        uuid        not null,
  event_type      text        not null,
  epoch           integer,
  "position"      xid8,
  ordinal         integer,
  status          text        not null,
  tries           integer     not null default 0,
  next_attempt_at timestamptz,
  attempts        jsonb       not null default '[]'::jsonb,
  body            text,
  erased          boolean     not null default false,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  version         integer     not null,
  constraint webhook_deliveries_pkey primary key (tenant_id, id),
  constraint webhook_deliveries_tenant_id_event_id_endpoint_id_key unique (tenant_id, event_id, endpoint_id),
  constraint webhook_deliveries_check check ((status = 'pending') = (next_attempt_at is not null)),
  constraint webhook_deliveries_status_check check (status = any (array['pending', 'succeeded', 'failed']))
);
create index webhook_deliveries_endpoint on webhook_deliveries (tenant_id, endpoint_id, id);
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, endpoint_id, id) where status = 'failed';
create index webhook_deliveries_pending on webhook_deliveries (tenant_id, endpoint_id, next_attempt_at, id) where status = 'pending';

create table webhook_endpoint_states (
  tenant_id            uuid        not null,
  endpoint_id          uuid        not null,
  active_epoch         integer     not null default 2147483647,
  active_position      xid8        not null,
  consecutive_failures integer     not null default 0,
  failing_since        timestamptz,
  constraint webhook_endpoint_states_pkey primary key (tenant_id, endpoint_id)
);

create table webhook_endpoints (
  tenant_id            uuid        not null,
  id                   uuid        not null,
  url                  text        not null,
  description          text,
  enabled_events       text[]      not null,
  status               text        not null,
  disabled_reason      text,
  payload              text        not null,
  header_names         text[]      not null,
  headers_sealed       bytea,
  metadata             json        not null,
  secret_hint          text        not null,
  secret_sealed        bytea       not null,
  former_secret_sealed bytea,
  former_secret_until  timestamptz,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  version              integer     not null,
  filter               json,
  constraint webhook_endpoints_pkey primary key (tenant_id, id),
  constraint webhook_endpoints_payload_check check (payload = any (array['full', 'thin'])),
  constraint webhook_endpoints_status_check check (status = any (array['enabled', 'paused', 'disabled']))
);

create table webhook_recoveries (
  tenant_id      uuid        not null,
  id             uuid        not null,
  endpoint_id    uuid        not null,
  since          timestamptz not null,
  epoch          integer     not null,
  "position"     xid8        not null,
  ordinal        integer     not null,
  until_epoch    integer     not null,
  until_position xid8        not null,
  created_at     timestamptz not null,
  constraint webhook_recoveries_pkey primary key (tenant_id, id)
);

create table workspaces (
  id         uuid        not null,
  name       text        not null,
  created_at timestamptz not null,
  constraint workspaces_pkey primary key (id)
);
create unique index workspaces_name on workspaces (lower(name));
