-- Deleted conversations, erased people, and retention (docs/adr/0062-erasure.md).

-- Work on conversations that takes more than a change, which background work ends: their deletion, or the redaction of
-- their messages or deletion of their files by a retention policy. Messages are done up to a sequence, then the uses of
-- files end, one for each item, and at last the texts in streams of events, the first of which is done up to a position.
-- The row ends with the work.
create table conversation_removals (
  tenant_id uuid not null,
  conversation_id uuid not null,
  kind text not null check (kind in ('delete', 'redact', 'delete_files')),
  after_sequence integer not null,
  file_ids uuid[] not null,
  stream_ids uuid[] not null,
  epoch integer,
  position xid8,
  ordinal integer,
  -- Raised with each part, so that none is done twice.
  part integer not null,
  primary key (tenant_id, conversation_id)
);

-- Those who took part in a conversation once: they may have written messages there.
create table former_participants (
  tenant_id uuid not null,
  end_user_id uuid not null,
  conversation_id uuid not null,
  primary key (tenant_id, end_user_id, conversation_id)
);

alter table end_users add column legal_hold_reason text, add column legal_hold_since timestamptz;

-- Certificates of erasures. They contain no data of the person.
create table erasures (
  tenant_id uuid not null,
  id uuid not null,
  end_user_id uuid not null,
  mode text not null check (mode in ('anonymise', 'delete')),
  -- Rows by table.
  counts json not null,
  audit_head_before text,
  audit_head_after text,
  -- Whole exports made earlier, by the ids of their jobs.
  exports text[] not null,
  completed_at timestamptz not null,
  sha256 text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create index erasures_end_user on erasures (tenant_id, end_user_id, id);

create table retention_policies (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  filter json not null,
  after_seconds integer not null,
  action text not null check (action in ('redact', 'delete_files', 'delete')),
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create unique index retention_policies_name on retention_policies (tenant_id, name_key);
