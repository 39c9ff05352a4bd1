-- Events are ordered by a position of their environment instead of by transaction ids (docs/adr/0036-positions.md).
-- A server of an earlier version cannot write events after this migration, because it gives them no position.

-- The position of the last event of each environment, in microseconds of Unix time; 0 before the first one. A statement
-- that writes events raises it. The page keeps room, so that updates stay in it and touch no index.
create table journal_heads (
  tenant_id uuid primary key,
  position bigint not null
) with (fillfactor = 10);

insert into journal_heads select id, 0 from environments;

-- Earlier events keep their places: (epoch, transaction id, ordinal). All later ones are in the last epoch, have
-- positions of their own, and the ordinal 0. The type stays xid8: another one would rewrite all events.
alter table events rename column xid to position;
alter table events alter column position drop default;
alter table events alter column epoch set default 2147483647;
alter table events alter column ordinal set default 0;

alter table journal_positions rename column xid to position;
alter table journal_floors rename column xid to position;
alter table audit_blocks rename column xid to position;
alter table webhook_deliveries rename column xid to position;
alter table webhook_recoveries rename column xid to position;
alter table webhook_recoveries rename column until_xid to until_position;
alter table webhook_endpoint_states rename column active_xid to active_position;
alter table webhook_endpoint_states alter column active_position drop default;
alter table webhook_endpoint_states alter column active_epoch set default 2147483647;

drop table installation_epochs;
