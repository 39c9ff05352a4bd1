-- Files, and where they are used (docs/adr/0043-files.md).
create table files (
  tenant_id uuid not null,
  id uuid not null,
  filename text not null,
  content_type text not null,
  size_bytes bigint not null,
  -- In hexadecimal digits, as the client gave it.
  sha256 text,
  status text not null check (status in ('awaiting_upload', 'scanning', 'ready', 'rejected')),
  rejected_reason text,
  -- The end user whose token created the file.
  end_user_id uuid,
  -- A file belongs to the conversation whose messages use it, or to the knowledge base. Neither: it is not used yet.
  conversation_id uuid,
  in_knowledge_base boolean not null,
  -- The number of messages and articles that use it.
  use_count integer not null,
  -- The number of the copy that is the file; null before `complete`.
  copy integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id)
);
create index files_unused on files (tenant_id, end_user_id) where use_count = 0 and end_user_id is not null;

-- The messages, sent or scheduled, that use a file.
create table message_files (
  tenant_id uuid not null,
  message_id uuid not null,
  file_id uuid not null,
  primary key (tenant_id, message_id, file_id),
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);
create index message_files_file on message_files (tenant_id, file_id);

-- The articles that use a file: in their draft or in any version.
create table kb_article_files (
  tenant_id uuid not null,
  article_id uuid not null,
  file_id uuid not null,
  primary key (tenant_id, article_id, file_id),
  foreign key (tenant_id, file_id) references files (tenant_id, id)
);
create index kb_article_files_file on kb_article_files (tenant_id, file_id);
-- Images of published articles are found without knowing the environment.
create index kb_article_files_article on kb_article_files (article_id, file_id);

-- What is to be done with the bytes of a file. `scan` passes them to the scanner. `tidy` removes all bytes of the file
-- that its row does not name, or all if the row is gone. It exists before the first copy of an upload is made, and
-- until no more bytes can arrive. Times are real.
create table file_tasks (
  tenant_id uuid not null,
  file_id uuid not null,
  task text not null check (task in ('scan', 'tidy')),
  -- The number of copies that were made of the upload, or begun.
  copies integer not null,
  due_at timestamptz not null,
  -- Bytes can arrive until this time: `tidy` is repeated then.
  final_at timestamptz not null,
  failures integer not null,
  primary key (tenant_id, file_id, task)
);
create index file_tasks_due on file_tasks (tenant_id, task, due_at);

-- [{file_id, filename, content_type, size_bytes, disposition}]; null if there are none.
alter table messages add column attachments json;
alter table scheduled_messages add column attachments json;
-- The sanitized HTML of Markdown, where inline images have `file:` addresses; null for other texts.
alter table messages add column body_html text;
alter table scheduled_messages add column body_html text;

-- Extensions without a dot; null for those that are denied by default.
alter table environments add column file_types_denied text[];
