-- Which articles and FAQs have a tag, served or in a draft: so that it cannot be deleted.
create table knowledge_tags (
  tenant_id uuid not null,
  tag_id uuid not null,
  subject_id uuid not null,
  primary key (tenant_id, tag_id, subject_id)
);

alter table knowledge_tags add foreign key (tenant_id, tag_id) references tags (tenant_id, id);
