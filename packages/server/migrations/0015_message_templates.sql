create table message_templates (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- The name as it is compared (lib/names.ts): case folded, for every script.
  name_key text not null,
  folder text,
  body text not null,
  body_format text not null,
  locale text,
  variants json not null, -- [{locale, body}], in the client's order
  variables text[] not null, -- what all bodies refer to, found when they were saved
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (tenant_id, id),
  unique (tenant_id, name_key)
);

alter table messages add column template_id uuid;

alter table messages add constraint messages_template_fkey
  foreign key (tenant_id, template_id) references message_templates (tenant_id, id);

create index messages_template on messages (tenant_id, template_id) where template_id is not null;

alter table hold_reasons add foreign key (tenant_id, follow_up_template_id) references message_templates (tenant_id, id);

create index hold_reasons_template on hold_reasons (tenant_id, follow_up_template_id) where follow_up_template_id is not null;
