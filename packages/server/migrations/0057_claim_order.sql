-- The order in which claim_next offers conversations, and whether a reply assigns the conversation to its author. Of a
-- department for its conversations, of the environment for the others.
alter table departments add column claim_order text not null default 'waiting';
alter table departments add column reply_assigns boolean not null default false;
alter table environments add column claim_order text not null default 'waiting';
alter table environments add column reply_assigns boolean not null default false;

-- Changes whenever the environment, or a department's reply_assigns, does.
create table assignment_rule_generations (
  tenant_id  uuid   not null,
  generation bigint not null,
  primary key (tenant_id)
);
