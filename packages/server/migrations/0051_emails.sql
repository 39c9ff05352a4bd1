-- Mail in and out of conversations (docs/adr/0063-trust-in-mail.md).

alter table conversations add column mailbox_id uuid;
alter table conversations add foreign key (tenant_id, mailbox_id) references mailboxes (tenant_id, id);

-- How participants came to take part. Rows from before were added by requests.
alter table conversation_participants add column address text;
alter table conversation_participants add column source text not null default 'api';
alter table conversation_participants add column confirmed boolean not null default true;
alter table conversation_participants add column since timestamptz;

-- The mail that a message came with, or went out as; null for others.
alter table messages add column email json;

-- Mails that arrived. One of the same content is counted, and not stored again.
create table inbound_emails (
  tenant_id           uuid        not null,
  id                  uuid        not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  version             integer     not null,
  mailbox_id          uuid,
  source              text        not null,
  status              text        not null,
  reason              text,
  conversation_id     uuid,
  message_id          uuid,
  end_user_id         uuid,
  header_message_id   text        collate "C",
  threaded_by         text,
  sender              json,
  to_addresses        json        not null,
  cc_addresses        json        not null,
  reply_to            json        not null,
  subject             text,
  date                timestamptz,
  mail_from           text,
  rcpt_to             text[]      not null,
  authentication      json,
  automatic           text,
  auto_reply          text,
  warnings            text[]      not null,
  dropped_attachments json        not null,
  size_bytes          integer     not null,
  duplicate_count     integer     not null,
  -- SHA-256 of what makes two mails the same, in hexadecimal digits.
  content_hash        text        not null collate "C",
  -- The lower-case address of the sender.
  from_address        text        collate "C",
  -- The file with the bytes of a large mail; those of others are in inbound_email_bytes.
  raw_file_id         uuid,
  -- The mail with its bytes; its texts without its bytes; neither.
  kept                text        not null check (kept in ('all', 'texts', 'none')),
  -- A process works on the mail until this time; null once it is processed.
  leased_until        timestamptz,
  attempts            integer     not null,
  primary key (tenant_id, id),
  constraint inbound_emails_content unique (tenant_id, content_hash)
);
create index inbound_emails_status on inbound_emails (tenant_id, status, id);
create index inbound_emails_mailbox on inbound_emails (tenant_id, mailbox_id, id);
create index inbound_emails_conversation on inbound_emails (tenant_id, conversation_id, id)
  where conversation_id is not null;
create index inbound_emails_sender on inbound_emails (tenant_id, from_address, id);
create index inbound_emails_header_message_id on inbound_emails (tenant_id, header_message_id, id);
create index inbound_emails_message on inbound_emails (tenant_id, message_id) where message_id is not null;
create index inbound_emails_end_user on inbound_emails (tenant_id, end_user_id, id) where end_user_id is not null;
create index inbound_emails_expiring on inbound_emails (tenant_id, created_at)
  where kept = 'all' and status in ('ignored', 'failed', 'bounce');
create index inbound_emails_waiting on inbound_emails (tenant_id, leased_until, id) where status = 'received';

-- The bytes of small mails.
create table inbound_email_bytes (
  tenant_id        uuid  not null,
  inbound_email_id uuid  not null,
  bytes            bytea not null,
  primary key (tenant_id, inbound_email_id)
);

-- Message-IDs that were sent or received, and tokens in addresses: mail that names one belongs to the conversation.
create table email_references (
  tenant_id       uuid        not null,
  reference       text        not null collate "C",
  message_id      uuid        not null,
  conversation_id uuid        not null,
  is_sent         boolean     not null,
  created_at      timestamptz not null,
  primary key (tenant_id, reference, message_id)
);
create index email_references_message on email_references (tenant_id, message_id);
create index email_references_conversation on email_references (tenant_id, conversation_id);

-- The end user whom unverified mail from an address made.
create table email_senders (
  tenant_id   uuid not null,
  address     text not null collate "C",
  end_user_id uuid not null,
  primary key (tenant_id, address)
);
create index email_senders_end_user on email_senders (tenant_id, end_user_id);

-- The mail of a message as it was sent or received.
create table email_contents (
  tenant_id  uuid not null,
  message_id uuid not null,
  headers    json not null,
  text       text,
  html       text,
  primary key (tenant_id, message_id)
);
