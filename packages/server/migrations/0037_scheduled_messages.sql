-- Messages that are sent at a later time. A row becomes a message with the same id, or is removed.
create table scheduled_messages (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  send_at timestamptz not null,
  author_side text not null,
  operator_id uuid,
  body text not null,
  body_format text not null,
  visibility text not null,
  template_id uuid,
  in_reply_to_id uuid,
  external_id text,
  set_status text,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create index scheduled_messages_conversation on scheduled_messages (tenant_id, conversation_id, send_at, id);

-- The conversations of messages that were scheduled and are never sent, by which their events are found.
create table unsent_messages (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  primary key (tenant_id, id)
);

-- The external ids of messages, scheduled or sent, which are unique among both. Messages that are older than this table
-- have no row here: they are in messages_external_id, and are looked up before a message is scheduled.
create table message_external_ids (
  tenant_id uuid not null,
  external_id text not null,
  message_id uuid not null,
  primary key (tenant_id, external_id)
);
