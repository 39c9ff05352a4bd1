-- Where an advance of a test clock is bound for, from its beginning: a request that is sent again after a crash goes
-- on to the same time, and not as far again. The row goes with the commit of the response.
create table test_clock_advances (
  tenant_id uuid not null,
  idempotency_key text not null,
  target_offset_ms bigint not null,
  primary key (tenant_id, idempotency_key)
);
