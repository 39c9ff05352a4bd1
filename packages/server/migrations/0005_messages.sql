-- No foreign key to conversations: the statement that inserts a message also updates its conversation and fails
-- when that is not there.
create table messages (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  sequence integer not null,
  author_side text not null,
  operator_id uuid,
  body text not null,
  body_format text not null,
  visibility text not null,
  in_reply_to_id uuid,
  external_id text,
  metadata json not null, -- json keeps the members in the client's order
  edited_at timestamptz,
  redacted_at timestamptz,
  search tsvector not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, conversation_id, sequence)
);

create unique index messages_external_id on messages (tenant_id, external_id) where external_id is not null;
create index messages_search on messages using gin (search);

-- Former bodies of edited messages; `version` is the message's version that had this body.
create table message_revisions (
  tenant_id uuid not null,
  message_id uuid not null,
  version integer not null,
  body text not null,
  written_at timestamptz not null,
  replaced_at timestamptz not null,
  primary key (tenant_id, message_id, version)
);
