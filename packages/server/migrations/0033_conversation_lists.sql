-- online
-- Lists of conversations by fewer index entries (docs/adr/0037-lists-are-bounded-walks.md). An interrupted build leaves
-- an index that is not valid, hence the drops.

-- One entry per conversation in place of two: by due time within a status, and without a due time by id. Conversations
-- with a due time are in a second index by id.
drop index concurrently if exists conversations_status_due;
create index concurrently conversations_status_due
  on conversations (tenant_id, status, coalesce(sla_due_at, 'infinity'), id);
drop index concurrently if exists conversations_status_id;
create index concurrently conversations_status_id on conversations (tenant_id, status, id)
  where sla_due_at is not null;

-- The conversations of an operator or a department, by status.
drop index concurrently if exists conversations_assignee_status;
create index concurrently conversations_assignee_status on conversations (tenant_id, assignee_id, status, id)
  where assignee_id is not null;
drop index concurrently if exists conversations_department_status;
create index concurrently conversations_department_status on conversations (tenant_id, department_id, status, id)
  where department_id is not null;

-- Conversations without an operator, but for new ones, of which none has one.
drop index concurrently if exists conversations_unassigned;
create index concurrently conversations_unassigned on conversations (tenant_id, status, id)
  where assignee_id is null and status <> 'new';

-- A new conversation has waited since its creation, so that the indexes above have its place.
drop index concurrently if exists conversations_open_unclaimed;
create index concurrently conversations_open_unclaimed on conversations (tenant_id, department_id, waiting_since, id)
  where assignee_id is null and waiting_on = 'operator' and status = 'open';

drop index concurrently if exists conversations_status;
drop index concurrently if exists conversations_sla_due;
drop index concurrently if exists conversations_assignee;
drop index concurrently if exists conversations_department;
drop index concurrently if exists conversations_unclaimed;
