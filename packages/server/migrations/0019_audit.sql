-- The seals on the audit log: block `number` lists, in the journal's order, the entries after those of the block before,
-- up to the event at (epoch, xid, ordinal). The entries themselves are the events.
create table audit_blocks (
  tenant_id uuid not null,
  number integer not null,
  epoch integer not null,
  xid xid8 not null,
  ordinal integer not null,
  -- 48 bytes for each entry: the event's id, and the entry's digest.
  entries bytea not null,
  -- The chain's link of the last entry (see lib/audit-chain.ts).
  head bytea not null,
  sealed_at timestamptz not null,
  primary key (tenant_id, number)
);

-- Digests do not shrink: an attempt to compress them costs time alone.
alter table audit_blocks alter column entries set storage external;

-- Of changed fields whose text had to be erased the digests (see lib/audit-chain.ts); null where all is as it was told.
alter table events add column erased json;
