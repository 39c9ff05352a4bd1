-- How often texts were searched for in the knowledge base. Rows refer to no person, have no events, and are written
-- some seconds after the searches (docs/adr/0048-searches-of-readers.md).
create table kb_searches (
  tenant_id uuid not null,
  query text collate "C" not null,
  -- The language in the request; empty if it had none.
  locale text collate "C" not null,
  -- Searches of articles, and those of FAQs: a page that searches both with each query counts once.
  article_searches integer not null,
  article_found integer not null,
  faq_searches integer not null,
  faq_found integer not null,
  last_searched_at timestamptz not null,
  -- The last search with a result.
  last_found_at timestamptz,
  primary key (tenant_id, query, locale)
);
create index kb_searches_last on kb_searches (tenant_id, last_searched_at);
