-- Mail out of conversations.

-- What has become of the mail of a message on its way to each recipient; null for messages without one that was to be sent.
alter table messages add column delivery json;

-- The mail that a scheduled message is to be sent as, as the request gave it.
alter table scheduled_messages add column email json;

-- Mails that this server sends. Their texts are in email_contents, what has become of them in messages.
create table outgoing_emails (
  tenant_id   uuid not null,
  message_id  uuid not null,
  mailbox_id  uuid not null,
  -- The sender of the envelope, with the token.
  mail_from   text not null,
  -- Files that go with it or as links.
  files       json not null,
  -- The time of the next attempt, by the environment's clock; null if there is none.
  due_at      timestamptz,
  -- The attempt that has the mail, and the real time until which no other one takes it.
  taken_by    uuid,
  taken_until timestamptz,
  -- True from before the last byte of the mail until the answer is stored.
  is_open     boolean not null default false,
  -- The times that the whole mail was handed over, or may have been, without an answer that is known.
  unanswered  integer not null default 0,
  -- The attempts before somebody last had it sent again: the pauses between attempts begin anew.
  attempts_before integer not null default 0,
  -- The last time that it was handed over.
  sent_at     timestamptz,
  primary key (tenant_id, message_id),
  foreign key (tenant_id, mailbox_id) references mailboxes (tenant_id, id)
);
create index outgoing_emails_due on outgoing_emails (tenant_id, mailbox_id, due_at, message_id) where due_at is not null;
create index outgoing_emails_rate on outgoing_emails (tenant_id, mailbox_id, sent_at) where sent_at is not null;

-- Automatic mails, for the limit of each address.
create table automatic_emails (
  tenant_id  uuid        not null,
  address    text        not null collate "C",
  message_id uuid        not null,
  created_at timestamptz not null,
  primary key (tenant_id, address, message_id)
);
create index automatic_emails_age on automatic_emails (tenant_id, created_at);
