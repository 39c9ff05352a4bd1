-- A verification goes on behind a head that an earlier one has reached.
create index audit_blocks_head on audit_blocks (tenant_id, head);
