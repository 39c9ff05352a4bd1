-- Deleted conversations, erased people, and retention (docs/adr/0062-erasure.md).

-- The rest of the deletion of a conversation, which background work does: files whose uses end, once for each use, and
-- streams of events whose texts are emptied. The first stream is done up to the position. The row ends with the work.
create table conversation_deletions (
  tenant_id uuid not null,
  conversation_id uuid not null,
  file_ids uuid[] not null,
  stream_ids uuid[] not null,
  epoch integer,
  position xid8,
  ordinal integer,
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
