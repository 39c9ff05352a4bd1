-- Work that takes longer than a request. `state` is where the work goes on: it is written by the transaction that has
-- the effects up to there. `starter` tells who started the job, and what they may do.
create table jobs (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  status text not null,
  dry_run boolean not null,
  params json not null,
  starter json not null,
  state json not null,
  done integer not null,
  total integer,
  failed integer not null,
  result json,
  error json,
  started_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  check (status in ('queued', 'running', 'succeeded', 'completed_with_errors', 'failed', 'cancelled'))
) with (fillfactor = 70);

-- The result of each object or line of a job, until the job expires.
create table job_results (
  tenant_id uuid not null,
  job_id uuid not null,
  place integer not null,
  status text not null,
  object_id text,
  errors json,
  changes json,
  primary key (tenant_id, job_id, place),
  check (status in ('succeeded', 'failed'))
);

create index job_results_failed on job_results (tenant_id, job_id, place) where status = 'failed';

-- The objects that a job has selected, in parts, until it expires. `first_place` is the place of the first id.
create table job_selections (
  tenant_id uuid not null,
  job_id uuid not null,
  first_place integer not null,
  ids uuid[] not null,
  primary key (tenant_id, job_id, first_place)
);

-- The scopes that reading a file needs besides `files:read`; null for none. The server has written such a file itself.
alter table files add column required_scopes text[];

-- A person is erased by one job at a time.
create unique index jobs_erasure on jobs (tenant_id, (params ->> 'end_user_id'))
  where type = 'erasure' and ended_at is null and not dry_run;
