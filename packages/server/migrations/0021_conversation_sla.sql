-- The SLA of a conversation. `sla` holds its clocks as of their last step (src/lib/sla/clocks.ts).
alter table conversations add column sla_config_id uuid;
alter table conversations add column sla_config_version integer;
-- The version again while it is to be kept up with its config, that is until the conversation is closed.
alter table conversations add column sla_follows integer;
alter table conversations add column sla json;
-- The first time that one of its clocks is or was due.
alter table conversations add column sla_due_at timestamptz;
-- The end user's first message that no operator answered.
alter table conversations add column unanswered_since timestamptz;
alter table conversations add column hold_pauses_sla boolean not null default true;
alter table conversations add foreign key (tenant_id, sla_config_id) references sla_configs (tenant_id, id);

create index conversations_sla_due on conversations (tenant_id, coalesce(sla_due_at, 'infinity'), id);
create index conversations_sla_config on conversations (tenant_id, sla_config_id, sla_follows, id) where sla_config_id is not null;

-- What a conversation with an SLA was like from when on: what its clocks are computed from.
create table conversation_moments (
  tenant_id uuid not null,
  conversation_id uuid not null,
  at timestamptz not null,
  status text not null,
  paused boolean not null,
  answered boolean not null,
  unanswered_since timestamptz,
  priority text not null,
  -- Null while no config matches.
  sla_config_version integer,
  sla_config_id uuid,
  primary key (tenant_id, conversation_id, at)
);
