create table conversations (
  tenant_id uuid not null,
  id uuid not null,
  external_user_id text not null,
  subject text,
  initiated_by_side text not null,
  channel text not null,
  priority text not null,
  language text,
  external_id text,
  metadata json not null, -- json keeps the members in the client's order
  follow_up_of_id uuid,
  status text not null check (status in ('new', 'open', 'pending', 'on_hold', 'resolved', 'closed')),
  waiting_since timestamptz,
  message_count integer not null,
  last_message_at timestamptz,
  last_message_side text,
  first_response_at timestamptz,
  resolved_at timestamptz,
  closed_at timestamptz,
  reopened_count integer not null,
  merged_into_id uuid,
  -- Up to which sequence each side has read, and how many public messages of the other side came after that.
  read_by_end_user integer not null,
  read_by_operator integer not null,
  unread_by_end_user integer not null,
  unread_by_operator integer not null,
  -- Tokens of the subject, made by the application (lib/search-text.ts) so that every language works alike.
  search tsvector not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  -- Ids are UUIDv7 of created_at: this is the order of creation, too.
  primary key (tenant_id, id)
);

create unique index conversations_external_id on conversations (tenant_id, external_id) where external_id is not null;
create index conversations_external_user on conversations (tenant_id, external_user_id, id);
create index conversations_status on conversations (tenant_id, status, id);
create index conversations_updated on conversations (tenant_id, updated_at, id);
create index conversations_last_message on conversations (tenant_id, coalesce(last_message_at, '-infinity'), id);
create index conversations_search on conversations using gin (search);
