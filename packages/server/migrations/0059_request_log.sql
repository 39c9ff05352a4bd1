-- The requests of the last days. Written in batches beside the responses, so that no request waits for it.
create table request_log (
  tenant_id   uuid        not null,
  -- The id of the request, which has its arrival by the real clock: the order of the log.
  id          uuid        not null,
  -- The same by the environment's clock.
  created_at  timestamptz not null,
  duration_ms integer     not null,
  status      integer     not null,
  method      text        not null,
  -- The template of the route; null for an unknown one.
  route       text,
  path        text        not null,
  -- The code of the problem; null for a response that is none.
  code        text,
  key_id      uuid,
  console_session_id  uuid,
  end_user_session_id uuid,
  operator_id uuid,
  -- Null for a request without an idempotency key, and for one that was refused.
  is_replay   boolean,
  original_request_id uuid,
  network     text,
  primary key (tenant_id, id)
);
