-- The highest turn in the rotation of each department, which every assignment raises by one. `former` only carries the
-- turn that a decision was made upon into the condition of an upsert. A department has no row before its first assignment, whose
-- `former` is null.
create table department_turns (
  tenant_id uuid not null,
  department_id uuid not null,
  turn bigint not null,
  former bigint,
  primary key (tenant_id, department_id),
  foreign key (tenant_id, department_id) references departments (tenant_id, id) on delete cascade
) with (fillfactor = 50);
