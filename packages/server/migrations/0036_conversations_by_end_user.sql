-- online
-- The conversations of an end user, in place of those of an external user id. An interrupted build leaves an index that
-- is not valid, hence the drops.
drop index concurrently if exists conversations_end_user;
create index concurrently conversations_end_user on conversations (tenant_id, end_user_id, id)
  where end_user_id is not null;
drop index concurrently if exists conversations_company;
create index concurrently conversations_company on conversations (tenant_id, company_id, id)
  where company_id is not null;

-- The conversations that do not refer to their end user yet: none, once background work is done.
drop index concurrently if exists conversations_without_end_user;
create index concurrently conversations_without_end_user on conversations (tenant_id, external_user_id, id)
  where end_user_id is null;
drop index concurrently if exists conversations_external_user;
