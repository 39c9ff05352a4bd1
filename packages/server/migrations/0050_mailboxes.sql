-- Mailboxes and suppressed addresses.
create table mailboxes (
  tenant_id uuid not null,
  id uuid not null,
  -- In lower case, as are `aliases` and `reply_to_senders`.
  address text not null,
  aliases text[] not null,
  from_name text,
  signature text,
  department_id uuid,
  outbound text not null check (outbound in ('client', 'smtp')),
  -- {host, port, security, username}
  smtp json,
  -- Encrypted; null without a password.
  smtp_password_sealed bytea,
  status text not null check (status in ('enabled', 'paused')),
  plus_addressing boolean not null,
  trusted_authserv_ids text[] not null,
  reply_to_senders text[] not null,
  -- Both or neither.
  auto_reply_template_id uuid,
  auto_reply_to text,
  quote text not null check (quote in ('none', 'last')),
  attach_max_bytes integer not null,
  rate_per_minute integer not null,
  -- Null until a test mail was sent with the settings in `smtp`.
  verified_at timestamptz,
  archived boolean not null,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references departments (tenant_id, id)
);
alter table mailboxes add foreign key (tenant_id, auto_reply_template_id) references message_templates (tenant_id, id);
create index mailboxes_department on mailboxes (tenant_id, department_id) where department_id is not null;
create index mailboxes_template on mailboxes (tenant_id, auto_reply_template_id) where auto_reply_template_id is not null;

-- The inverse of `address` and `aliases`: each address leads to one mailbox of an environment.
create table mailbox_addresses (
  tenant_id uuid not null,
  address text collate "C" not null,
  mailbox_id uuid not null,
  primary key (tenant_id, address),
  foreign key (tenant_id, mailbox_id) references mailboxes (tenant_id, id)
);
create index mailbox_addresses_mailbox on mailbox_addresses (tenant_id, mailbox_id);
-- The mail listener does not know the environment of an address.
create index mailbox_addresses_address on mailbox_addresses (address);

-- Addresses that get no mail.
create table email_suppressions (
  tenant_id uuid not null,
  id uuid not null,
  -- In lower case.
  address text collate "C" not null,
  reason text not null check (reason in ('bounce', 'complaint', 'manual')),
  -- The message whose mail came back. It may have been deleted since.
  message_id uuid,
  -- Null for a suppression without an end.
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, address)
);
