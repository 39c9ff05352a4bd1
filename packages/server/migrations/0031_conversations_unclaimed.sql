-- The unassigned conversation that has waited longest for an operator, of a department or of all.
create index conversations_unclaimed on conversations (tenant_id, department_id, waiting_since, id)
  where assignee_id is null and waiting_on = 'operator' and status in ('new', 'open');
