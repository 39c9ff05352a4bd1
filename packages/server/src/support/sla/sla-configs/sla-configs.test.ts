import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { made } from '@backline/test/macro-fixtures.ts'
import { config, refused, reorder, shown, targets } from '@backline/test/sla-fixtures.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { generationIs } from '../../../platform/unit-of-work/memory.ts'
import { findActiveSlaConfigs, slaGenerations } from './queries.ts'

const api = service()

const patch = (client: Client, { id }: Body, input: object) => client.patch(`/v1/sla_configs/${id}`, input)
const everyone = {
  department_ids: [],
  category_ids: [],
  company_ids: [],
  priorities: [],
  channels: [],
  tags_any: [],
}
const office = { timezone: 'Europe/Berlin', weekly: [{ day: 'mon', from: '09:00', to: '17:30' }] }

test('a config of which only the name and targets are given is for every conversation', async () => {
  const { test } = await api.world()
  assert.partialDeepStrictEqual(await config(test, { name: 'All' }), {
    object: 'sla_config',
    name: 'All',
    description: null,
    position: 1,
    conditions: everyone,
    targets: [{ priority: null, first_response_seconds: null, next_response_seconds: null, ...targets[0] }],
    schedule: null,
    pauses_on_pending: true,
    warn_at_percent: 80,
    archived: false,
    version: 1,
  })
})

test('shows every member, whatever was left out; what it shows can be sent back', async () => {
  const { test } = await api.world()
  const body = await config(test, {
    conditions: { priorities: ['high', 'low', 'high'], tags_any: ['VIP', 'vip'] },
    targets: [{ first_response_seconds: 60 }, { priority: 'high', resolution_seconds: 315360000 }],
    schedule: { ...office, holidays: [{ date: '2026-12-25' }] },
    warn_at_percent: null,
  })
  assert.partialDeepStrictEqual(body, {
    conditions: { ...everyone, priorities: ['high', 'low'], tags_any: ['VIP'] },
    targets: [
      {
        priority: null,
        first_response_seconds: 60,
        next_response_seconds: null,
        resolution_seconds: null,
      },
      {
        priority: 'high',
        first_response_seconds: null,
        next_response_seconds: null,
        resolution_seconds: 315360000,
      },
    ],
    schedule: { ...office, holidays: [{ date: '2026-12-25', name: null, yearly: false }] },
    warn_at_percent: null,
  })
  const { conditions, targets, schedule, warn_at_percent } = body
  const again = await patch(test, body, { conditions, targets, schedule, warn_at_percent })
  assert.deepEqual(again.body, body)
})

test('409 naming the config that has the name, in any case and archived too', async () => {
  const { test } = await api.world()
  const { id } = await config(test, { name: 'Gold', archived: true })
  const answer = await test.post('/v1/sla_configs', { name: ' gOLD', targets })
  assert.deepEqual([answer.status, answer.body.params], [409, { id, field: 'name' }])
})

describe('targets', () => {
  test('have at least one time, also after a change', async () => {
    const { test } = await api.world()
    const made = await config(test)
    for (const none of [[], [{}], [{ priority: 'high' }, { resolution_seconds: null }]]) {
      refused(await test.post('/v1/sla_configs', { name: 'x', targets: none }), ['/targets', 'required'])
      refused(await patch(test, made, { targets: none }), ['/targets', 'required'])
    }
    refused(await test.post('/v1/sla_configs', { name: 'x' }), ['/targets', 'required'])
    refused(await patch(test, made, { targets: null }), ['/targets', 'wrong_type'])
    assert.deepEqual((await shown(test, made)).targets, made.targets)
  })

  test('of an older config may lack: it is shown, and changes in all else', async () => {
    const { test, environments } = await api.world()
    const made = await config(test)
    await api.db.write(sql`update sla_configs set targets = '[]'
      where tenant_id = ${environments.test.tenantId} and id = ${uuidOf('sla', made.id)}`)
    assert.deepEqual((await shown(test, made)).targets, [])
    const renamed = succeeded(await patch(test, made, { name: 'Renamed' }))
    assert.deepEqual([renamed.name, renamed.targets], ['Renamed', []])
    assert.deepEqual(succeeded(await patch(test, made, { targets })).targets.length, 1)
  })

  test('422 for two rows of one priority, and for two of any', async () => {
    const { test } = await api.world()
    const targets = [{ priority: 'low' }, { resolution_seconds: 60 }, { priority: 'low' }, { priority: null }]
    refused(
      await test.post('/v1/sla_configs', { name: 'x', targets }),
      ['/targets/2/priority', 'not_allowed'],
      ['/targets/3/priority', 'not_allowed'],
    )
  })

  test('422 for no time, less, and more than ten years', async () => {
    const { test } = await api.world()
    const targets = [{ first_response_seconds: 0, next_response_seconds: -1, resolution_seconds: 315360001 }]
    refused(
      await test.post('/v1/sla_configs', { name: 'x', targets }),
      ['/targets/0/first_response_seconds', 'too_small'],
      ['/targets/0/next_response_seconds', 'too_small'],
      ['/targets/0/resolution_seconds', 'too_large'],
    )
  })
})

describe('a PATCH', () => {
  test('of conditions merges member by member; null is met by all', async () => {
    const { test } = await api.world()
    const { id: department } = await made(test, 'departments', { name: 'Billing' })
    const body = await config(test, { conditions: { department_ids: [department], channels: ['email'] } })
    const after = async (conditions: object | null) =>
      succeeded(await patch(test, body, { conditions })).conditions
    assert.deepEqual(await after({ priorities: ['low'] }), {
      ...everyone,
      department_ids: [department],
      priorities: ['low'],
      channels: ['email'],
    })
    assert.deepEqual(await after({ department_ids: null, channels: ['web'] }), {
      ...everyone,
      priorities: ['low'],
      channels: ['web'],
    })
    assert.deepEqual(await after(null), everyone)
  })

  test('of a schedule merges, too; null is around the clock', async () => {
    const { test } = await api.world()
    const holidays = [{ date: '2026-12-25', name: 'Christmas', yearly: true }]
    const body = await config(test, { schedule: { ...office, holidays } })
    const after = async (schedule: object | null) => succeeded(await patch(test, body, { schedule })).schedule
    assert.deepEqual(await after({ timezone: 'Asia/Tokyo' }), { ...office, timezone: 'Asia/Tokyo', holidays })
    const weekly = [{ day: 'sun', from: '00:00', to: '24:00' }]
    assert.deepEqual(await after({ weekly }), { timezone: 'Asia/Tokyo', weekly, holidays })
    assert.deepEqual(await after({ holidays: null }), { timezone: 'Asia/Tokyo', weekly, holidays: [] })
    assert.equal(await after(null), null)
    refused(
      await patch(test, body, { schedule: { holidays } }),
      ['/schedule/timezone', 'required'],
      ['/schedule/weekly', 'required'],
    )
  })

  test('leaves what it does not name', async () => {
    const { test } = await api.world()
    const before = await config(test, {
      description: 'x',
      conditions: { tags_any: ['vip'] },
      targets: [{ resolution_seconds: 60 }],
      schedule: office,
      pauses_on_pending: false,
      warn_at_percent: 50,
    })
    const { body } = await patch(test, before, { name: 'Renamed', description: null })
    const { updated_at } = body
    assert.deepEqual(body, { ...before, name: 'Renamed', description: null, updated_at, version: 2 })
  })
})

describe('what conditions name', () => {
  test('422 for each that does not exist or is archived, once the terms are valid', async () => {
    const { test, live } = await api.world()
    const department = await made(test, 'departments', { name: 'Billing', archived: true })
    const category = await made(live, 'categories', { name: 'Cards' })
    const archived = await made(test, 'companies', { name: 'Acme', archived: true })
    const foreign = await made(live, 'companies', { name: 'Acme' })
    await made(test, 'tags', { name: 'old', archived: true })
    const conditions = {
      department_ids: [department.id],
      category_ids: [category.id],
      company_ids: [archived.id, foreign.id],
      tags_any: ['new', 'OLD'],
    }
    const targets = [{ resolution_seconds: 60 }, {}]
    const schedule = { ...office, timezone: 'Europe/Atlantis' }
    refused(
      await test.post('/v1/sla_configs', { name: 'x', conditions, targets, schedule }),
      ['/targets/1/priority', 'not_allowed'],
      ['/schedule/timezone', 'bad_format'],
    )
    refused(
      await test.post('/v1/sla_configs', { name: 'x', conditions, targets: [targets[0]] }),
      ['/conditions/department_ids/0', 'not_allowed'],
      ['/conditions/category_ids/0', 'not_found'],
      ['/conditions/company_ids/0', 'not_allowed'],
      ['/conditions/company_ids/1', 'not_found'],
      ['/conditions/tags_any/1', 'not_allowed'],
    )
    assert.equal((await test.get('/v1/tags')).body.data.length, 0, 'No tag was made')
  })

  test('what was archived meanwhile may stay', async () => {
    const { test } = await api.world()
    const department = await made(test, 'departments', { name: 'Billing' })
    const category = await made(test, 'categories', { name: 'Cards' })
    const company = await made(test, 'companies', { name: 'Acme' })
    const before = await config(test, {
      conditions: {
        department_ids: [department.id],
        category_ids: [category.id],
        company_ids: [company.id],
        tags_any: ['vip'],
      },
    })
    const [tag] = (await test.get('/v1/tags')).body.data
    for (const path of [
      `departments/${department.id}`,
      `categories/${category.id}`,
      `companies/${company.id}`,
      `tags/${tag.id}`,
    ])
      succeeded(await test.patch(`/v1/${path}`, { archived: true }))
    const { conditions } = before
    assert.equal((await patch(test, before, { conditions, description: 'x' })).status, 200)
  })

  test('departments, categories and companies that were deleted meanwhile may stay: what was read can be sent back', async () => {
    const { test } = await api.world()
    const department = await made(test, 'departments', { name: 'Billing' })
    const category = await made(test, 'categories', { name: 'Cards' })
    const company = await made(test, 'companies', { name: 'Acme' })
    const before = await config(test, {
      conditions: { department_ids: [department.id], category_ids: [category.id], company_ids: [company.id] },
    })
    for (const path of [
      `departments/${department.id}`,
      `categories/${category.id}`,
      `companies/${company.id}`,
    ])
      assert.equal((await test.delete(`/v1/${path}`)).status, 204)
    const { conditions } = await shown(test, before)
    assert.deepEqual(succeeded(await patch(test, before, { conditions })), before)
  })

  test('tags follow when they are renamed and merged, and cannot be deleted', async () => {
    const { test, environments } = await api.world()
    const { tenantId } = environments.test
    const body = await config(test, { conditions: { tags_any: ['vip', 'gold'] } })
    const tags: Body[] = (await test.get('/v1/tags')).body.data
    const [vip, gold] = ['vip', 'gold'].map((name) => tags.find((tag) => tag.name === name))
    succeeded(await test.patch(`/v1/tags/${gold.id}`, { name: 'Golden' }))
    assert.deepEqual((await shown(test, body)).conditions.tags_any, ['vip', 'Golden'])
    succeeded(await test.post(`/v1/tags/${vip.id}/merge`, { into_id: gold.id }))
    assert.deepEqual((await shown(test, body)).conditions.tags_any, ['Golden'])
    const [active] = (await findActiveSlaConfigs(api.db, tenantId)).value
    assert.deepEqual(new Set(active!.tags.map(({ id }) => id)), new Set([uuidOf('tag', gold.id)]))
    const inUse = await test.delete(`/v1/tags/${gold.id}`)
    assert.deepEqual([inUse.status, inUse.body.code], [409, 'resource_in_use'])
    succeeded(await patch(test, body, { description: 'stored anew' }))
    succeeded(await patch(test, body, { conditions: null }))
    assert.equal((await test.delete(`/v1/tags/${gold.id}`)).status, 204)
  })
})

describe('deleting', () => {
  test('409 while a department names it, 204 when none does', async () => {
    const { test } = await api.world()
    const { id } = await config(test)
    const department = await made(test, 'departments', { name: 'Billing', default_sla_config_id: id })
    assert.equal(department.default_sla_config_id, id)
    const inUse = await test.delete(`/v1/sla_configs/${id}`)
    assert.deepEqual([inUse.status, inUse.body.params], [409, { hint: 'archive' }])
    succeeded(await test.patch(`/v1/departments/${department.id}`, { default_sla_config_id: null }))
    assert.equal((await test.delete(`/v1/sla_configs/${id}`)).status, 204)
  })

  test('lets its tags go, and keeps its terms for conversations that were under it', async () => {
    const { test, environments } = await api.world()
    const { tenantId } = environments.test
    const body = await config(test, { conditions: { tags_any: ['vip'] } })
    assert.equal((await test.delete(`/v1/sla_configs/${body.id}`)).status, 204)
    assert.equal((await versions(tenantId)).length, 1)
    const [tag] = (await test.get('/v1/tags')).body.data
    assert.equal((await test.delete(`/v1/tags/${tag.id}`)).status, 204)
  })
})

const versions = (tenantId: string) =>
  api.db.rows<{ version: number; terms: Body }>(sql`select version, terms from sla_config_versions
    where tenant_id = ${tenantId} order by sla_config_id, version`)

describe('what engines rely on', () => {
  test('terms are kept from the version on that brings them', async () => {
    const { test, environments } = await api.world()
    const { tenantId } = environments.test
    const body = await config(test, { schedule: office })
    succeeded(await patch(test, body, { name: 'Renamed' }))
    succeeded(await patch(test, body, { targets: [{ priority: 'low', resolution_seconds: 60 }] }))
    const terms = (targets: object[]) => ({
      targets,
      schedule: { ...office, holidays: [] },
      pauses_on_pending: true,
      warn_at_percent: 80,
    })
    const low = {
      priority: 'low',
      first_response_seconds: null,
      next_response_seconds: null,
      resolution_seconds: 60,
    }
    assert.deepEqual(await versions(tenantId), [
      { version: 1, terms: terms(body.targets) },
      { version: 3, terms: terms([low]) },
    ])
  })

  test('the generation goes up by one with every change of any config', async () => {
    const { test, environments } = await api.world()
    const { tenantId } = environments.test
    const generation = async () => (await findActiveSlaConfigs(api.db, tenantId)).generation
    const rightOf = async (...remembered: number[]) => {
      const items = remembered.map((generation) => ({ generation }))
      return (await api.db.rows(generationIs(slaGenerations)(tenantId, items))).length
    }
    assert.equal(await generation(), 0)
    assert.deepEqual([await rightOf(0), await rightOf(1), await rightOf(0, 1, 0)], [1, 0, 2])
    const [first, second] = [await config(test), await config(test)]
    assert.equal(await generation(), 2)
    succeeded(await patch(test, first, {}))
    assert.equal(await generation(), 2, 'Nothing changed')
    succeeded(await patch(test, first, { warn_at_percent: 10 }))
    succeeded(await reorder(test, [second.id]))
    assert.equal((await test.delete(`/v1/sla_configs/${first.id}`)).status, 204)
    assert.equal(await generation(), 5)
    assert.deepEqual([await rightOf(5), await rightOf(0)], [1, 0])
  })

  test('those that are not archived, the first one first', async () => {
    const { test, environments } = await api.world()
    const { tenantId } = environments.test
    const last = await config(test)
    await config(test, { archived: true })
    const first = await config(test, { position: 0, conditions: { channels: ['web'] }, schedule: office })
    const { value: configs } = await findActiveSlaConfigs(api.db, tenantId)
    assert.deepEqual(
      configs.map(({ name }) => name),
      [first.name, last.name],
    )
    assert.partialDeepStrictEqual(configs[0], { channels: ['web'], tags: [], schedule: first.schedule })
    assert.ok(!('generation' in configs[0]!))
  })
})
