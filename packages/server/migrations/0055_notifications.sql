-- Notifications, followers and mentions (docs/adr/0066-notifications.md). None of these tables refers to conversations
-- by a foreign key: its check would lock a row that many requests write.

-- The operators whom a note mentions; null for none.
alter table messages add column mentions uuid[];
alter table scheduled_messages add column mentions uuid[];

create table followers (
  tenant_id       uuid        not null,
  conversation_id uuid        not null,
  operator_id     uuid        not null,
  source          text        not null,
  since           timestamptz not null,
  -- From 1 to 50. Null for somebody who was taken out, and stays out until asked or mentioned again.
  place           integer     check (place between 1 and 50),
  removed_at      timestamptz check ((place is null) = (removed_at is not null)),
  primary key (tenant_id, conversation_id, operator_id),
  constraint followers_place unique (tenant_id, conversation_id, place)
);
create index followers_operator on followers (tenant_id, operator_id, conversation_id) where removed_at is null;

create table notifications (
  tenant_id         uuid        not null,
  id                uuid        not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  version           integer     not null,
  operator_id       uuid        not null,
  kind              text        not null,
  reason            text        not null,
  conversation_id   uuid        not null,
  message_id        uuid,
  -- That of the message, while it is in this conversation.
  message_sequence  integer,
  event_id          uuid        not null,
  actor_type        text        not null,
  actor_id          text,
  actor_operator_id text,
  sla_metric        text,
  count             integer     not null,
  read_at           timestamptz,
  notified_at       timestamptz not null,
  primary key (tenant_id, id)
);
create unique index notifications_unread on notifications (tenant_id, operator_id, conversation_id, kind)
  where read_at is null;
create index notifications_operator on notifications (tenant_id, operator_id, notified_at, id);
create index notifications_conversation on notifications (tenant_id, conversation_id);
create index notifications_notified on notifications (tenant_id, notified_at);

-- What an operator has set; operators without a row have the defaults.
create table notification_preferences (
  tenant_id  uuid        not null,
  -- The operator.
  id         uuid        not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version    integer     not null,
  kinds      json        not null,
  follow     json        not null,
  primary key (tenant_id, id)
);

-- Readings that came before the facts up to a position of the journal had been noticed. They apply to these as well.
create table notification_readings (
  tenant_id       uuid        not null,
  id              uuid        not null,
  operator_id     uuid        not null,
  epoch           integer     not null,
  position        xid8        not null,
  ordinal         integer     not null,
  read_at         timestamptz not null,
  -- Null for all conversations.
  conversation_id uuid,
  -- Empty for all.
  kinds           text[]      not null,
  -- Messages of the conversation after this one stay unread. Null for no limit.
  up_to_sequence  integer,
  -- Facts after this time stay unread. Null for no limit.
  up_to           timestamptz,
  primary key (tenant_id, id)
);

-- What happened before this release notifies nobody.
insert into journal_positions (tenant_id, follower, epoch, position, ordinal)
  select tenant_id, 'notifications', 2147483647, position::text::xid8, 0 from journal_heads
  on conflict do nothing;
