create table kb_collections (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid,
  name text not null,
  -- Name and slug as they are compared (lib/names.ts).
  name_key text not null,
  slug text not null,
  slug_key text not null,
  position integer not null,
  description text,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references kb_collections (tenant_id, id)
);

-- Null is distinct from null, so roots are siblings below an id that nobody has.
create unique index kb_collections_names on kb_collections
  (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), name_key);
create unique index kb_collections_slugs on kb_collections
  (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), slug_key);
create index kb_collections_order on kb_collections (tenant_id, position, name_key, id);
create index kb_collections_below on kb_collections (tenant_id, parent_id, position, name_key, id);

-- An article is its draft, and beside it what is served: `published` and the two texts that belong to it.
create table kb_articles (
  tenant_id uuid not null,
  id uuid not null,
  collection_id uuid,
  slug text not null,
  locale text not null,
  -- The locale as it is compared: lower case.
  locale_key text not null,
  title text,
  body text,
  -- What the body is as HTML, sanitised when it was saved.
  body_html text not null,
  excerpt text,
  author_id uuid,
  tag_ids uuid[] not null,
  metadata json not null, -- json keeps the members in the client's order
  translation_of_id uuid,
  -- The article that this one is a translation of, or itself: a family has each locale once.
  family_id uuid not null,
  status text not null check (status in ('draft', 'published', 'archived')),
  published json, -- everything that is served but the two texts
  published_body text,
  published_body_html text,
  -- Parts of `published` by which served articles are found, and that other tables have to keep.
  published_collection_id uuid,
  published_locale_key text,
  published_author_id uuid,
  published_tag_ids uuid[] not null,
  published_version integer,
  published_at timestamptz,
  has_unpublished_changes boolean not null,
  -- How many versions there have been.
  last_version integer not null,
  -- When the draft is to be published, and who wants that.
  publish_at timestamptz,
  publish_by json,
  -- Slugs that it had before, the latest first.
  former_slugs text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, collection_id) references kb_collections (tenant_id, id)
);

alter table kb_articles add foreign key (tenant_id, published_collection_id) references kb_collections (tenant_id, id);
alter table kb_articles add foreign key (tenant_id, author_id) references operators (tenant_id, id);
alter table kb_articles add foreign key (tenant_id, published_author_id) references operators (tenant_id, id);
alter table kb_articles add foreign key (tenant_id, translation_of_id) references kb_articles (tenant_id, id);

create unique index kb_articles_family on kb_articles (tenant_id, family_id, locale_key);
create index kb_articles_translations on kb_articles (tenant_id, translation_of_id) where translation_of_id is not null;
create index kb_articles_updated on kb_articles (tenant_id, updated_at, id);
create index kb_articles_collection on kb_articles (tenant_id, collection_id, id) where collection_id is not null;
-- Also for counting what a collection shows.
create index kb_articles_published_collection on kb_articles (tenant_id, published_collection_id, id)
  where published_collection_id is not null;
create index kb_articles_author on kb_articles (tenant_id, author_id) where author_id is not null;
create index kb_articles_published_author on kb_articles (tenant_id, published_author_id)
  where published_author_id is not null;
create index kb_articles_tags on kb_articles using gin (tag_ids);
create index kb_articles_published_tags on kb_articles using gin (published_tag_ids);

-- Who has a slug in a locale, or had it last. Held ones nobody else can take: those of a draft and of what is served.
create table kb_slugs (
  tenant_id uuid not null,
  locale_key text not null,
  slug_key text not null,
  article_id uuid not null,
  held boolean not null,
  primary key (tenant_id, locale_key, slug_key)
);

create index kb_slugs_article on kb_slugs (tenant_id, article_id);

-- What was published, as it was. Rows are written once.
create table kb_article_versions (
  tenant_id uuid not null,
  article_id uuid not null,
  version integer not null,
  title text not null,
  body text not null,
  excerpt text,
  published_at timestamptz not null,
  published_by json not null,
  primary key (tenant_id, article_id, version)
);
