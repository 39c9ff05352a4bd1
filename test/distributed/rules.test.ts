import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { service } from '../harness.ts'
import { type Analyst, openAnalyst } from './analysis.ts'
import { type ClusterRule, judge, judgeForCluster, type Rule } from './rules.ts'

/* The rules that statements.system.test.ts applies. */

describe('the rules for SQL', () => {
  let analyst: Analyst
  after(() => analyst?.close()) // before the service drops the database
  const api = service()
  before(async () => {
    analyst = await openAnalyst(api.connection)
  })

  const tenant = "'0190f4c0-0000-7000-8000-000000000001'"
  const overAll = 'from journal_heads h join environments e on e.id = h.tenant_id'
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
    ['one tenant', 'select t.id from tags t join messages m on m.tenant_id = $1 where t.tenant_id = $2'],
  ]
  for (const [rule, text] of wrong)
    test(`told as against the rule "${rule}": ${text}`, async () => {
      const found = judge(await analyst.treeOf(text), ['one', 'other'], analyst.catalog)
      assert.ok(
        found.some((violation) => violation.rule === rule),
        JSON.stringify(found),
      )
    })

  test('nothing is told of what is right', async () => {
    for (const text of [
      'select id from tags where tenant_id = $1 and id in (select tag_id from conversation_tags where tenant_id = $1)',
      "select t.id from tags t left join messages m on m.tenant_id = $1 and m.id = t.id where $1 = t.tenant_id and (t.id = $2 or t.name = 'a')",
      'with recursive a (id) as (select id from categories where tenant_id = $1 union all select c.id from categories c join a on c.parent_id = a.id where c.tenant_id = $1) select id from a',
      "insert into tree_versions (tenant_id, tree, version) values ($1, 'a', 1), ($1, 'b', 1) on conflict (tenant_id, tree) do update set version = excluded.version + tree_versions.version returning version",
      'with u as (update tags set version = 2 where tenant_id = $1 and id = $2 returning 1) select 1 / (select count(*) from u)',
      `select h.tenant_id ${overAll} left join tags t on t.tenant_id = h.tenant_id`,
    ])
      assert.deepEqual(judge(await analyst.treeOf(text), ['one', 'other'], analyst.catalog), [], text)
  })

  const wrongForCitus: [rule: ClusterRule, text: string][] = [
    ['home', 'select id from tags where tenant_id = $1'],
    ['home', 'update tags set version = 2 where tenant_id = $1'],
    ['home', "insert into tree_versions (tenant_id, tree, version) values ($1, 'a', 1)"],
    ['joins', 'select h.tenant_id from journal_heads h join tags t on t.id = h.tenant_id'],
    ['joins', `select 1 ${overAll} cross join lateral (select 1 from tags where id = h.tenant_id) t`],
    [
      'limit',
      `select 1 ${overAll} cross join lateral (select 1 from due_work where due_work.tenant_id = h.tenant_id
        and due_at <= to_timestamp(e.clock_offset_ms) order by due_at limit 1) d`,
    ],
    [
      'limit',
      `select 1 ${overAll} cross join lateral (select 1 from due_work where due_work.tenant_id = h.tenant_id
        and exists (select where e.kind = duty) limit 1) d`,
    ],
    ['copies', 'update environments set version = 2 where id in (select tenant_id from journal_heads)'],
    ['kind', 'delete from workspaces where ctid = $1'],
    ['kind', 'select pg_advisory_xact_lock(1) from journal_heads'],
    ['kind', 'merge into workspaces using (values (1)) v (a) on true when matched then delete'],
  ]
  for (const [rule, text] of wrongForCitus)
    test(`told as against the rule "${rule}" of a cluster: ${text}`, async () => {
      const found = judgeForCluster(await analyst.treeOf(text), analyst.catalog)
      assert.ok(
        found.some((violation) => violation.rule === rule),
        JSON.stringify(found),
      )
    })

  test('nothing is told of what a cluster executes', async () => {
    for (const text of [
      'select id from environments where id = $1',
      'with u as (update environments set version = 2 where id = $1 returning 1) select 1 / (select count(*) from u)',
      'insert into journal_heads (tenant_id, position) values ($1, 0) on conflict (tenant_id) do nothing',
      `select 1 ${overAll} cross join lateral (select due_at from due_work where due_work.tenant_id = h.tenant_id
        order by due_at limit 1) d where d.due_at <= to_timestamp(e.clock_offset_ms)`,
    ])
      assert.deepEqual(judgeForCluster(await analyst.treeOf(text), analyst.catalog), [], text)
  })
})
