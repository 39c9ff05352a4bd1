-- What conversations have of departments, categories, operators, tags and hold reasons.
alter table conversations add column department_id uuid;
alter table conversations add column category_id uuid;
alter table conversations add column assignee_id uuid;
alter table conversations add column assignment_strategy text;
alter table conversations add column assignment_reason text;
alter table conversations add column assigned_at timestamptz;
-- False once somebody took it from its operator by hand: then somebody has to give it to another one.
alter table conversations add column awaits_routing boolean not null default true;
alter table conversations add column tag_ids uuid[] not null default '{}';
alter table conversations add column waiting_on text;
alter table conversations add column hold_reason_id uuid;
alter table conversations add column hold_note text;
alter table conversations add column hold_since timestamptz;
alter table conversations add column hold_until timestamptz;
alter table conversations add column resumes_on_reply boolean not null default true;
update conversations set waiting_on = case when status in ('new', 'open') then 'operator' when status = 'pending' then 'end_user' end;
alter table conversations add foreign key (tenant_id, department_id) references departments (tenant_id, id);
alter table conversations add foreign key (tenant_id, category_id) references categories (tenant_id, id);
alter table conversations add foreign key (tenant_id, assignee_id) references operators (tenant_id, id);

create index conversations_department on conversations (tenant_id, department_id, id) where department_id is not null;
create index conversations_category on conversations (tenant_id, category_id, id) where category_id is not null;
create index conversations_assignee on conversations (tenant_id, assignee_id, id) where assignee_id is not null;
create index conversations_merged on conversations (tenant_id, merged_into_id) where merged_into_id is not null;
-- The queue of each department, oldest first (routing/queries.ts).
create index conversations_waiting on conversations (tenant_id, department_id, id)
  where awaits_routing and assignee_id is null and department_id is not null and status in ('new', 'open', 'pending');

alter table messages add foreign key (tenant_id, operator_id) references operators (tenant_id, id);
create index messages_operator on messages (tenant_id, operator_id) where operator_id is not null;

-- Periods on hold; they keep their reason after the conversation moved on.
create table conversation_holds (
  tenant_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  hold_reason_id uuid not null,
  note text,
  since timestamptz not null,
  until timestamptz,
  ended_at timestamptz,
  ended_by text,
  primary key (tenant_id, conversation_id, id)
);

alter table conversation_holds add foreign key (tenant_id, hold_reason_id) references hold_reasons (tenant_id, id);
create index conversation_holds_reason on conversation_holds (tenant_id, hold_reason_id);

-- Which conversations have a tag: conversations.tag_ids the other way round.
create table conversation_tags (
  tenant_id uuid not null,
  tag_id uuid not null,
  conversation_id uuid not null,
  primary key (tenant_id, tag_id, conversation_id)
);

alter table conversation_tags add foreign key (tenant_id, tag_id) references tags (tenant_id, id);

-- A tag that was merged stays, as an alias of the other one.
alter table tags add column merged_into_id uuid;
alter table tags add foreign key (tenant_id, merged_into_id) references tags (tenant_id, id);
create index tags_aliases on tags (tenant_id, merged_into_id) where merged_into_id is not null;

-- How many open conversations of a department an operator has. `most` only carries the limit into
-- the condition of an upsert, which sees the row that is there and the one that was to be inserted.
create table operator_loads (
  tenant_id uuid not null,
  operator_id uuid not null,
  department_id uuid not null,
  open integer not null,
  most integer,
  primary key (tenant_id, operator_id, department_id)
) with (fillfactor = 80);

alter table categories add foreign key (tenant_id, default_department_id) references departments (tenant_id, id);
create index categories_default_department on categories (tenant_id, default_department_id) where default_department_id is not null;
