create table faqs (
  tenant_id uuid not null,
  id uuid not null,
  question text not null,
  answer text not null,
  -- What the answer is as HTML, sanitised when it was saved.
  answer_html text not null,
  locale text not null,
  -- The locale as it is compared: lower case.
  locale_key text not null,
  category_id uuid,
  kb_article_id uuid,
  position integer not null,
  status text not null check (status in ('draft', 'published')),
  tag_ids uuid[] not null,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, category_id) references categories (tenant_id, id)
);

alter table faqs add foreign key (tenant_id, kb_article_id) references kb_articles (tenant_id, id);

create index faqs_position on faqs (tenant_id, position, id);
create index faqs_category on faqs (tenant_id, category_id, position, id) where category_id is not null;
create index faqs_kb_article on faqs (tenant_id, kb_article_id) where kb_article_id is not null;
create index faqs_tags on faqs using gin (tag_ids);
