import type pg from 'pg'

/*
 * A replacement for Citus, which is not installed for tests. It has the catalog and the functions by name, keeps the
 * placement of tables, and refuses those commands of migrations that Citus 13.2.2 refuses, with the same messages. All
 * rows stay where they are, and changes of rows are not judged.
 */

const tables = [
  `create table pg_dist_partition (logicalrelid regclass primary key, partmethod "char", repmodel "char",
    autoconverted boolean not null default false, calls integer generated always as identity, colocated text)`,
  'create table pg_dist_local_group (groupid integer)',
  'insert into pg_dist_local_group values (0)',
  'create table pg_dist_node (groupid integer, isactive boolean, shouldhaveshards boolean)',
]

/** A foreign key from a placed table, with the placement of the other one. */
const foreignKeys = `create function judge_foreign_keys(judged regclass) returns void language plpgsql as $$
  declare link record;
  begin
    for link in select f.confrelid::regclass as target, here.partmethod as method, there.partmethod as target_method
      from pg_constraint f join citus_stand_in.pg_dist_partition here on here.logicalrelid = f.conrelid
        left join citus_stand_in.pg_dist_partition there on there.logicalrelid = f.confrelid
      where f.conrelid = judged and f.contype = 'f' and f.confrelid <> f.conrelid
    loop
      if link.target_method is null then
        raise exception 'referenced table "%" must be a distributed table or a reference table', link.target
          using errcode = '42P16';
      elsif link.method = 'n' and link.target_method = 'h' then
        raise exception 'cannot create foreign key constraint since foreign keys from reference tables and local tables to distributed tables are not supported'
          using errcode = '0A000';
      end if;
    end loop;
  end $$`

/**
 * Commands about distributed tables use several connections to a worker unless the transaction is sequential. A
 * reference table that others refer to can be altered only through one connection, and makes the transaction sequential.
 */
const connections = `create function judge_connections(judged regclass) returns void language plpgsql as $$
  declare
    is_sequential boolean := current_setting('citus.multi_shard_modify_mode', true) = 'sequential';
    target regclass;
  begin
    if not coalesce(is_sequential, false) and exists
      (select from citus_stand_in.pg_dist_partition where logicalrelid = judged and partmethod = 'h') then
      perform set_config('citus_stand_in.was_parallel', 'yes', true);
    end if;
    for target in select logicalrelid from citus_stand_in.pg_dist_partition p where partmethod = 'n'
      and exists (select from pg_constraint f where f.confrelid = p.logicalrelid and f.conrelid <> f.confrelid)
      and (logicalrelid = judged or exists (select from pg_constraint f
        where f.conrelid = judged and f.confrelid = p.logicalrelid and not exists
          (select from citus_stand_in.pg_dist_partition here where here.logicalrelid = judged)))
    loop
      if current_setting('citus_stand_in.was_parallel', true) = 'yes' then
        raise exception 'cannot modify table "%" because there was a parallel operation on a distributed table', target;
      end if;
      perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
    end loop;
  end $$`

const placing = [
  `create function place(moved regclass, method "char", model "char", neighbour text) returns void
    language plpgsql as $$ begin
      insert into citus_stand_in.pg_dist_partition values (moved, method, model, false, default, neighbour);
      perform citus_stand_in.judge_foreign_keys(moved), citus_stand_in.judge_connections(moved);
    end $$`,
  `create function create_reference_table(table_name regclass) returns void
    language sql as $$ select citus_stand_in.place(table_name, 'n', 't', null) $$`,
  `create function create_distributed_table(table_name regclass, distribution_column text, distribution_type text default 'hash',
    colocate_with text default 'default', shard_count integer default null) returns void
    language sql as $$ select citus_stand_in.place(table_name, 'h', 's', distribution_column || ' with ' || colocate_with) $$`,
]

const triggers = [
  `create function judge_command() returns event_trigger language plpgsql as $$
    declare judged regclass;
    begin
      for judged in select distinct coalesce(i.indrelid, c.objid)::regclass from pg_event_trigger_ddl_commands() c
        left join pg_index i on i.indexrelid = c.objid where c.classid = 'pg_class'::regclass
      loop
        perform citus_stand_in.judge_foreign_keys(judged), citus_stand_in.judge_connections(judged);
        continue when tg_tag <> 'ALTER TABLE'
          or not exists (select from citus_stand_in.pg_dist_partition where logicalrelid = judged);
        if current_query() ~* '\\malter( column)? \\w+ set (\\(|storage|statistics)' then
          raise exception 'alter table command is currently unsupported' using errcode = '0A000';
        elsif current_query() ~* '\\madd (constraint|foreign key|primary key|unique|check)\\M.*,\\s*(add|alter|drop)\\M'
          or current_query() ~* ',\\s*add (constraint|foreign key|primary key|unique|check)\\M' then
          raise exception 'cannot execute ADD CONSTRAINT command with other subcommands' using errcode = '0A000';
        end if;
      end loop;
    end $$`,
  `create function forget_dropped() returns event_trigger language plpgsql as $$ begin
    delete from citus_stand_in.pg_dist_partition
      where logicalrelid in (select objid from pg_event_trigger_dropped_objects());
  end $$`,
  'create event trigger citus_stand_in_command on ddl_command_end execute function citus_stand_in.judge_command()',
  'create event trigger citus_stand_in_drop on sql_drop execute function citus_stand_in.forget_dropped()',
]

const extension = [
  'set allow_system_table_mods = on',
  `insert into pg_extension select 4242, 'citus', oid, 'citus_stand_in'::regnamespace, false, '0', null, null
    from pg_roles where rolname = current_user`,
]

/** Installs it for this session and all later ones of the database. */
export async function installStandIn(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select current_database() as name')
  const path = 'search_path = public, citus_stand_in'
  await client.query(`alter database ${rows[0].name} set ${path}`)
  await client.query('create schema citus_stand_in')
  await client.query('set search_path = citus_stand_in, public')
  for (const statement of [...tables, foreignKeys, connections, ...placing, ...triggers, ...extension])
    await client.query(statement)
  await client.query(`set ${path}`)
}
