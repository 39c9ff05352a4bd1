-- Lists of conversations by fewer index entries (docs/adr/0037-lists-are-bounded-walks.md).

-- One entry per conversation in place of two: by due time within a status, and without a due time by id. Conversations
-- with a due time are in a second index by id.
create index conversations_status_due on conversations (tenant_id, status, coalesce(sla_due_at, 'infinity'), id);
create index conversations_status_id on conversations (tenant_id, status, id) where sla_due_at is not null;

-- The conversations of an operator or a department, by status.
create index conversations_assignee_status on conversations (tenant_id, assignee_id, status, id)
  where assignee_id is not null;
create index conversations_department_status on conversations (tenant_id, department_id, status, id)
  where department_id is not null;

-- A new conversation has waited since its creation, so that the indexes above have its place.
create index conversations_open_unclaimed on conversations (tenant_id, department_id, waiting_since, id)
  where assignee_id is null and waiting_on = 'operator' and status = 'open';

drop index conversations_status;
drop index conversations_sla_due;
drop index conversations_assignee;
drop index conversations_department;
drop index conversations_unclaimed;
