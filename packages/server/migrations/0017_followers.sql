-- Leases divide labour between processes, not on due rows alone: `work` says on what of an environment.
alter table due_leases rename to leases;

alter table leases add column work text not null default 'due';

alter table leases alter column work drop default;

alter table leases drop constraint due_leases_pkey;

alter table leases add constraint leases_pkey primary key (tenant_id, work);

-- How far a follower of the journal has come in an environment. It moves on in the statement of what the follower
-- does, so that each event is taken exactly once.
create table journal_positions (
  tenant_id uuid not null,
  follower text not null,
  epoch integer not null,
  xid xid8 not null,
  ordinal integer not null,
  primary key (tenant_id, follower)
);

-- The last event that has had its time in the feed. What the audit log needs of it and of those before it stays.
create table journal_floors (
  tenant_id uuid primary key,
  epoch integer not null,
  xid xid8 not null,
  ordinal integer not null
);
