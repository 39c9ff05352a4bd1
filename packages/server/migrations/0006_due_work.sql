-- Work that is due at a time of its environment's clock: hold expiries, automatic closing, status ends, … One row
-- for a duty on a subject. The statement that does the work removes the row (or moves it to the next time).
create table due_work (
  tenant_id uuid not null,
  duty text not null,
  subject_id uuid not null,
  due_at timestamptz not null,
  -- How often it was appointed: one who does it must know of the last time, also if that was for the same moment.
  appointment integer not null default 1,
  -- After a failure: how often it was tried, and not again before this (real) time.
  attempts integer not null default 0,
  retry_at timestamptz,
  primary key (tenant_id, duty, subject_id)
);

create index due_work_order on due_work (tenant_id, due_at, duty, subject_id);

-- Who works on an environment's due rows, so that processes share the environments between them. Only a division of
-- labour: that nothing is done twice is seen to by the removal of the row.
create table due_leases (
  tenant_id uuid primary key,
  holder uuid not null,
  leased_until timestamptz not null
);
