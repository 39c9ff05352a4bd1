-- online
-- Finds the conversations that follow up one that is deleted. Few conversations do, so that it costs the others nothing.
drop index concurrently if exists conversations_follow_ups;
create index concurrently conversations_follow_ups on conversations (tenant_id, follow_up_of_id)
  where follow_up_of_id is not null;
