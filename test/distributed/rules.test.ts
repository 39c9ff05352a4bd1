import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { service } from '../harness.ts'
import { type Analyst, openAnalyst } from './analysis.ts'
import { judge, type Rule } from './rules.ts'

/* The rules that statements.system.test.ts applies. */

describe('the rules for SQL', () => {
  let analyst: Analyst
  after(() => analyst?.close()) // before the service drops the database
  const api = service()
  before(async () => {
    analyst = await openAnalyst(api.connection)
  })

  const tenant = "'0190f4c0-0000-7000-8000-000000000001'"
  const wrong: [rule: Rule, text: string][] = [
    ['tenant', 'select id from tags where id = $1'],
    ['tenant', 'select id from tags where tenant_id = $1 or id = $2'],
    ['tenant', 'select id from tags where tenant_id::text = $1'],
    ['tenant', `select id from tags where tenant_id = ${tenant}`],
    ['tenant', 'select t.id from tags t join tags o on o.tenant_id = t.tenant_id where t.tenant_id = $1'],
    [
      'tenant',
      'select (select count(*) from messages m where m.tenant_id = t.tenant_id) from tags t where t.tenant_id = $1',
    ],
    [
      'tenant',
      'select id from tags t where t.tenant_id = $1 and exists (select from messages where id = t.id)',
    ],
    ['tenant', 'with c as (delete from tags where id = $1 returning id) select id from c'],
    ['tenant', 'select id from tags where id = $1 for update'],
    [
      'tenant',
      'insert into tree_versions (tenant_id, tree, version) select t.id, $1, 1 from environments t returning 1',
    ],
    ['tenant', 'select h.tenant_id from journal_heads h join tags t on t.id = h.tenant_id'],
    ['one tenant', 'select t.id from tags t join messages m on m.tenant_id = $1 where t.tenant_id = $2'],
    [
      'query in values',
      'insert into tree_versions (tenant_id, tree, version) values ($1, (select name from workspaces), 1)',
    ],
    [
      'told apart',
      'insert into tree_versions (tenant_id, tree, version) select $1::uuid, v.tree, 1 from unnest($2::text[]) v (tree)',
    ],
    [
      'reads what it writes',
      'with w as (delete from tags where tenant_id = $1) select count(*) from tags where tenant_id = $1',
    ],
    ['returning', 'update tags set version = 2 where tenant_id = $1 returning to_json(tags)'],
    ['pure', 'update tags set updated_at = clock_timestamp() where tenant_id = $1'],
    ['pure', "update tags set updated_at = updated_at + interval '1 s' where tenant_id = $1"],
    [
      'pure',
      'update tags set updated_at = case when archived then now() else updated_at end where tenant_id = $1',
    ],
    ['pure', 'update macros set department_ids = name::uuid[] where tenant_id = $1'],
    [
      'conflict',
      'insert into sla_generations values ($1, 1) on conflict (tenant_id) do update set generation = extract(epoch from now())::bigint',
    ],
    [
      'lateral limit',
      'select h.tenant_id from journal_heads h join environments e on e.id = h.tenant_id cross join lateral (select 1 from events where events.tenant_id = h.tenant_id and events.ordinal <= e.clock_offset_ms limit 1) one',
    ],
    [
      'sorted lock',
      'with l as (select 1 from tags where tenant_id = $1 order by id for update) select count(*) from l',
    ],
    ['kind', 'delete from tags where tenant_id = $1 and ctid = $2'],
    ['kind', 'select pg_advisory_xact_lock(1) from tags where tenant_id = $1'],
    ['kind', 'merge into tags using (values (1)) v (a) on tags.tenant_id = $1 when matched then delete'],
  ]
  for (const [rule, text] of wrong) {
    test(`told as against the rule "${rule}": ${text}`, async () => {
      const found = judge(await analyst.treeOf(text), ['one', 'other'], analyst.catalog)
      assert.ok(
        found.some((violation) => violation.rule === rule),
        JSON.stringify(found),
      )
    })
  }

  test('nothing is told of what is right', async () => {
    for (const text of [
      'select id from tags where tenant_id = $1 and id in (select tag_id from conversation_tags where tenant_id = $1)',
      "select t.id from tags t left join messages m on m.tenant_id = $1 and m.id = t.id where $1 = t.tenant_id and (t.id = $2 or t.name = 'a')",
      'with recursive a (id) as (select id from categories where tenant_id = $1 union all select c.id from categories c join a on c.parent_id = a.id where c.tenant_id = $1) select id from a',
      "insert into tree_versions (tenant_id, tree, version) values ($1, 'a', 1), ($1, 'b', 1) on conflict (tenant_id, tree) do update set version = excluded.version + tree_versions.version returning version",
      'with u as (update tags set version = 2 where tenant_id = $1 and id = $2 returning 1) select 1 / (select count(*) from u)',
      'select h.tenant_id from journal_heads h join environments e on e.id = h.tenant_id left join tags t on t.tenant_id = h.tenant_id cross join lateral (select 1 from events where events.tenant_id = h.tenant_id limit 1) one',
    ])
      assert.deepEqual(judge(await analyst.treeOf(text), ['one', 'other'], analyst.catalog), [], text)
  })
})
