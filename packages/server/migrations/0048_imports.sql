-- The objects that imports have made or found, by the ids that they have in the source. The source comes last: one
-- index finds both the object of this source and those of others with the same external id.
create table import_mappings (
  tenant_id   uuid not null,
  type        text not null,
  external_id text collate "C" not null,
  source      text not null,
  object_id   uuid not null,
  primary key (tenant_id, type, external_id, source)
);

-- For the erasure of people.
create index import_mappings_end_users on import_mappings (tenant_id, object_id) where type = 'end_user';
