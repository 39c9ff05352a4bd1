-- What can be searched, of every kind (db/search.ts). Tokens are made by the application (lib/search-text.ts).
create table search_documents (
  tenant_id uuid not null,
  kind text not null,
  id uuid not null,
  -- What is one in several languages.
  family_id uuid not null,
  -- Its language as it is compared: lower case.
  locale_key text not null,
  collection_id uuid,
  -- Words of the title (weight A), of the summary (B), and those that come up often in the text (C): what ranks it.
  head tsvector not null,
  -- All tokens, each marked with the environment, those of title and summary once more with another mark.
  tokens tsvector not null,
  -- The beginning of the text, to show where something was found.
  text text not null,
  primary key (tenant_id, kind, id)
) with (toast_tuple_target = 128);

-- Rows are short, so that many of them can be looked through: what ranks them, and references to the rest.
alter table search_documents alter column head set storage plain;
alter table search_documents alter column tokens set storage external;

-- An index is shared by all environments; marked tokens keep them apart in it. Searches do not wait for pending entries.
create index search_documents_tokens on search_documents using gin (tokens) with (fastupdate = off);

-- Without statistics the planner takes any query for a rare one, and always comes by the index. It does not know what
-- it costs to read long tokens from their own table, and would rather read all documents for a frequent word.
alter table search_documents alter column tokens set statistics 0;

-- The words of all documents, to find the one that was meant. They stay when documents go.
create table search_words (
  tenant_id uuid not null,
  word text not null,
  -- Its trigrams, each marked with the environment.
  trigrams tsvector not null,
  primary key (tenant_id, word)
);

create index search_words_trigrams on search_words using gin (trigrams) with (fastupdate = off);
alter table search_words alter column trigrams set statistics 0;
