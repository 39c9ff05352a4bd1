-- The body of a response is mostly the object of an event of the same transaction, and is then stored once, with the
-- event (docs/adr/0003-idempotency.md). The new name makes a server of an earlier version fail, which would otherwise
-- replay such a response without its body.
alter table idempotency_keys rename column body to own_body;
alter table idempotency_keys alter column own_body drop not null;
-- The stream and the id of the event whose object is the body; null if the key has a body of its own.
alter table idempotency_keys add column event_stream_id uuid;
alter table idempotency_keys add column event_id uuid;
-- When the transaction began, by the clock of the database: its event has a later position.
alter table idempotency_keys add column written_at timestamptz;
