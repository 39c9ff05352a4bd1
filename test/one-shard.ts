import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { placedTables } from '@backline/server/platform/postgres/distribution.ts'
import { identifier, type Sql } from '@backline/server/platform/postgres/sql.ts'
import pg from 'pg'
import { urlOf } from './databases.ts'

/*
 * One PostgreSQL in the place of a cluster: its tables have the names that Citus gives to those of a shard, and there is
 * as much of the catalog of Citus as a server reads. Under the ordinary names there are views, for the statements that
 * a server leaves to Citus. All environments are in the one shard of the one worker.
 */

/** Ends the names of all tables of the shard. */
export const suffix = '_102008'
const shardId = Number(suffix.slice(1))

/** The table itself for a trigger, which views do not have: in a run on one shard the name stands for a view. */
export const tableItself = (name: string): Sql =>
  identifier(process.env.BACKLINE_TEST_ONE_SHARD === '1' ? `${name}${suffix}` : name)

/** Makes a database with the schema look like that; returns its address. */
export async function asOneShard(connection: Connection): Promise<string> {
  const url = urlOf(connection)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const tables = await placedTables(client, false)
    for (const { name } of tables) await client.query(`alter table ${name} rename to ${name}${suffix}`)
    for (const { name } of tables) await client.query(`create view ${name} as select * from ${name}${suffix}`)
    await client.query(catalogOf(new URL(url)))
    const values = tables.map(
      ({ name, placement }) => `('${name}'::regclass, '${placement === 'reference' ? 'n' : 'h'}')`,
    )
    await client.query(`insert into pg_dist_partition select table_, method::"char", case method when 'n' then 't' else 's' end::"char", 1
        from (values ${values}) given (table_, method);
      insert into pg_dist_shard select logicalrelid, ${shardId}, case partmethod when 'h' then '-2147483648' end from pg_dist_partition`)
    return url
  } finally {
    await client.end()
  }
}

/** The number of the group of servers that the worker stands for. */
const groupId = 1

const catalogOf = ({ port, searchParams }: URL): string => `
  create table pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char", colocationid integer);
  create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text);
  create table pg_dist_placement (shardid bigint primary key, groupid integer);
  create table pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text, shouldhaveshards boolean);
  insert into pg_dist_placement values (${shardId}, ${groupId});
  insert into pg_dist_node values (${groupId}, '${encodeURIComponent(searchParams.get('host')!)}', ${port}, 'primary', true);
  create function get_shard_id_for_distribution_column(text, uuid) returns bigint language sql stable as 'select ${shardId}::bigint';
  create function lock_shard_metadata(integer, bigint[]) returns void language sql
    as 'select case $1 when 7 then pg_advisory_xact_lock(shard) else pg_advisory_xact_lock_shared(shard) end from unnest($2) shard';`
