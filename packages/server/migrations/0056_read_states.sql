-- How far each operator has read each conversation. An operator who has never said so has no row: their own messages,
-- and the time at which they were made, tell how far they have read.
create table read_states (
  tenant_id       uuid        not null,
  conversation_id uuid        not null,
  operator_id     uuid        not null,
  up_to_sequence  integer     not null,
  -- Own messages up to this one do not move the mark: it was moved back after them.
  own_after       integer     not null,
  -- The time, by the environment's clock, at which it was set, or was last found to be needed.
  marked_at       timestamptz not null,
  primary key (tenant_id, conversation_id, operator_id)
);
create index read_states_age on read_states (tenant_id, marked_at);
