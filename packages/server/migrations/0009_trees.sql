-- One row for each tree of an environment, once its structure was changed: how often that was (db/trees.ts).
create table tree_versions (
  tenant_id uuid not null,
  tree text not null,
  version bigint not null,
  primary key (tenant_id, tree)
);
