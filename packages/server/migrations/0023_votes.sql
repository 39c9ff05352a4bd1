-- Whether something helped, one vote an end user (db/votes.ts). The counts are kept beside them: what is shown often is
-- not counted each time.
create table votes (
  tenant_id uuid not null,
  subject_id uuid not null,
  external_user_id text not null,
  helpful boolean not null,
  primary key (tenant_id, subject_id, external_user_id)
);

create table vote_counts (
  tenant_id uuid not null,
  subject_id uuid not null,
  helpful integer not null,
  unhelpful integer not null,
  primary key (tenant_id, subject_id)
) with (fillfactor = 80);
