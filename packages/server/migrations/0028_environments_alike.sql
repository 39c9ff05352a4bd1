-- Plans are made once for all environments, and PostgreSQL counts on one of average size. Of many small ones and a large
-- one, that is a few rows: then it went through all rows of the large one, by any index that begins with tenant_id, to
-- update one by its id. Taken as if a table had a single environment, each is treated as the largest.
alter table audit_blocks alter column tenant_id set (n_distinct = 1);
alter table conversation_holds alter column tenant_id set (n_distinct = 1);
alter table conversation_moments alter column tenant_id set (n_distinct = 1);
alter table conversation_tags alter column tenant_id set (n_distinct = 1);
alter table conversations alter column tenant_id set (n_distinct = 1);
alter table due_work alter column tenant_id set (n_distinct = 1);
alter table events alter column tenant_id set (n_distinct = 1);
alter table faqs alter column tenant_id set (n_distinct = 1);
alter table idempotency_keys alter column tenant_id set (n_distinct = 1);
alter table kb_article_versions alter column tenant_id set (n_distinct = 1);
alter table kb_articles alter column tenant_id set (n_distinct = 1);
alter table kb_slugs alter column tenant_id set (n_distinct = 1);
alter table knowledge_tags alter column tenant_id set (n_distinct = 1);
alter table macro_uses alter column tenant_id set (n_distinct = 1);
alter table message_revisions alter column tenant_id set (n_distinct = 1);
alter table messages alter column tenant_id set (n_distinct = 1);
alter table operator_status_periods alter column tenant_id set (n_distinct = 1);
alter table search_documents alter column tenant_id set (n_distinct = 1);
alter table search_words alter column tenant_id set (n_distinct = 1);
alter table tags alter column tenant_id set (n_distinct = 1);
alter table votes alter column tenant_id set (n_distinct = 1);
alter table webhook_deliveries alter column tenant_id set (n_distinct = 1);
