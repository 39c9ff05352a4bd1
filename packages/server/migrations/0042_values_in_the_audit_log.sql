-- The audit log shows the values of what was created and removed. The fields whose values it shows stand with the event,
-- because the seal of the entry is valid only as long as they stay the same: `created name,color` or `removed name,color`.
-- Null for other events, and for those from before this column, whose entries show none.
alter table events add column audited text;
