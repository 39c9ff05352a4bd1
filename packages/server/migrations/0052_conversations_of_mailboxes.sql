-- online
-- The conversations of a mailbox. Those without one cost nothing.
drop index concurrently if exists conversations_mailbox;
create index concurrently conversations_mailbox on conversations (tenant_id, mailbox_id, id) where mailbox_id is not null;
