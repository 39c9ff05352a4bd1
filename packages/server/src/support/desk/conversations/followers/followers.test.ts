import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  operator,
  operators,
  say,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service({ works: true })

const as = (id: string) => ({ 'backline-operator': id })
const noticed = async (client: Client): Promise<void> =>
  void succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
const path = (id: string, operatorId = '') =>
  `/v1/conversations/${id}/followers${operatorId ? `/${operatorId}` : ''}`
const following = async (client: Client, id: string) =>
  succeeded(await client.get(path(id))).data.map(({ operator_id, source }: Body) => [operator_id, source])
const events = async (client: Client): Promise<string[]> =>
  succeeded(
    await client.get('/v1/events?types=conversation.follower_added,conversation.follower_removed'),
  ).data.map(({ type, data }: Body) => `${type} ${data.object.operator_id}`)
const note = (client: Client, id: string, by: string, mentions: string[]) =>
  say(client, id, 'operator', { operator_id: by, visibility: 'internal', mentions })

describe('followers', () => {
  test('are put and taken out, for oneself or others, without a change of the conversation', async () => {
    const { test } = await api.world()
    const { id, version } = await conversation(test)
    const [ada, grace] = (await operators(test, 2)) as [string, string]
    const follower = succeeded(await test.put(path(id, ada)))
    assert.deepEqual(
      [follower.object, follower.conversation_id, follower.operator_id, follower.source],
      ['follower', id, ada, 'manual'],
    )
    assert.deepEqual(succeeded(await test.put(path(id, ada))), follower)
    const own = await test.put(path(id, 'me'), undefined, as(grace))
    assert.equal(succeeded(own).operator_id, grace)
    const nobody = await test.put(path(id, 'me'))
    assert.partialDeepStrictEqual(nobody.body.errors, [{ header: 'Backline-Operator', code: 'required' }])
    assert.deepEqual(await following(test, id), [
      [ada, 'manual'],
      [grace, 'manual'],
    ])
    for (let i = 0; i < 2; i++) assert.equal((await test.delete(path(id, ada))).status, 204)
    assert.deepEqual(await following(test, id), [[grace, 'manual']])
    assert.deepEqual(await events(test), [
      `conversation.follower_added ${ada}`,
      `conversation.follower_added ${grace}`,
      `conversation.follower_removed ${ada}`,
    ])
    const [event] = succeeded(await test.get('/v1/events?types=conversation.follower_added')).data
    assert.deepEqual(
      [event.resource, event.data],
      [
        { type: 'conversation', id, version },
        { object: follower, previous: {} },
      ],
    )
    assert.equal((await shown(test, id)).version, version)
  })

  test('are found by a parameter, by a filter, and beside conversations', async () => {
    const { test } = await api.world()
    const [ada, grace] = (await operators(test, 2)) as [string, string]
    const ids = [(await conversation(test)).id, (await conversation(test)).id, (await conversation(test)).id]
    await test.put(path(ids[0]!, ada))
    await test.put(path(ids[1]!, ada))
    await test.put(path(ids[1]!, grace))
    const found = async (query: string, headers = {}) =>
      succeeded(await test.get(`/v1/conversations?sort=created_at&${query}`, headers)).data.map(
        ({ id }: Body) => ids.indexOf(id),
      )
    const filtered = (leaf: object, headers = {}) =>
      found(`filter=${encodeURIComponent(JSON.stringify({ field: 'follower_ids', ...leaf }))}`, headers)
    assert.deepEqual(await found(`follower_id=${ada}`), [0, 1])
    assert.deepEqual(await found('follower_id=me', as(grace)), [1])
    assert.deepEqual(await filtered({ op: 'contains', value: ada }), [0, 1])
    assert.deepEqual(await filtered({ op: 'contains', value: 'me' }, as(grace)), [1])
    assert.deepEqual(await filtered({ op: 'exists', value: false }), [2])
    const nobody = await test.get('/v1/conversations?follower_id=me')
    assert.partialDeepStrictEqual(nobody.body.errors, [{ parameter: 'follower_id', code: 'not_allowed' }])
    const one = succeeded(await test.get(`/v1/conversations/${ids[1]}?include=followers`))
    assert.deepEqual(one.follower_ids, [ada, grace])
    assert.equal('follower_ids' in (await shown(test, ids[1]!)), false)
  })

  test('are at most fifty, also of many requests at once, and none is archived', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const people = await operators(test, 52, {})
    const answers = await Promise.all(people.map((each) => test.put(path(id, each))))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(
      [statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 422).length],
      [50, 2],
    )
    const refused = answers.find(({ status }) => status === 422)!
    assert.partialDeepStrictEqual(refused.body.errors, [{ pointer: '', code: 'too_large' }])
    const gone = await operator(test)
    succeeded(await test.patch(`/v1/operators/${gone}`, { archived: true }))
    const other = (await conversation(test)).id
    const archived = await test.put(path(other, gone))
    assert.partialDeepStrictEqual(archived.body.errors, [{ parameter: 'operator_id', code: 'not_allowed' }])
    assert.equal((await test.put(path(other, 'op_01kah1vgm0e1tbm5ye8n2m9q7c'))).status, 404)
  })

  test('follow by a mention and by a public message, as they prefer, but not once they were taken out', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const [ada, grace, alan, kay] = (await operators(test, 4)) as [string, string, string, string]
    const silent = { follow: { on_mention: false, on_reply: false } }
    succeeded(await test.patch('/v1/notification_preferences', silent, as(kay)))
    await test.delete(path(id, alan))
    await note(test, id, ada, [grace, kay])
    for (const by of [ada, alan, kay]) await say(test, id, 'operator', { operator_id: by })
    await noticed(test)
    assert.deepEqual(await following(test, id), [
      [grace, 'mention'],
      [ada, 'reply'],
    ])
    await note(test, id, ada, [alan])
    await say(test, id, 'operator', { operator_id: grace })
    await test.delete(path(id, grace))
    await noticed(test)
    assert.deepEqual(await following(test, id), [
      [ada, 'reply'],
      [alan, 'mention'],
    ])
    await noticed(test)
    assert.deepEqual(await events(test), [`conversation.follower_removed ${grace}`])
  })

  test('come with a merge, since the earlier time, and then the merged one takes none', async () => {
    const { test } = await api.world()
    const [ada, grace, alan] = (await operators(test, 3)) as [string, string, string]
    const [source, target] = [(await conversation(test)).id, (await conversation(test)).id]
    const earlier = succeeded(await test.put(path(source, ada)))
    for (const each of [ada, grace]) await test.put(path(target, each))
    await test.put(path(source, alan))
    await act(test, source, 'merge', { into_id: target })
    const { data } = succeeded(await test.get(path(target)))
    assert.deepEqual(
      data.map(({ operator_id }: Body) => operator_id),
      [ada, grace, alan],
    )
    assert.equal(data[0].since, earlier.since)
    assert.deepEqual(await following(test, source), [])
    assert.equal((await test.put(path(source, ada))).body.code, 'conversation_closed')
  })
})

describe('mentions', () => {
  test('are a list of internal notes of operators, each once in the order given', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const [ada, grace, gone] = (await operators(test, 3)) as [string, string, string]
    const { mentions, id: noteId } = await note(test, id, ada, [grace, ada, grace])
    assert.deepEqual(mentions, [grace, ada])
    assert.deepEqual((await say(test, id, 'end_user')).mentions, [])
    const refused = async (fields: object) =>
      (
        await test.post(`/v1/conversations/${id}/messages`, { author_side: 'operator', body: 'x', ...fields })
      ).body.errors.map(({ pointer, code }: Body) => [pointer, code])
    assert.deepEqual(await refused({ mentions: [ada] }), [['/mentions', 'not_allowed']])
    succeeded(await test.patch(`/v1/operators/${gone}`, { archived: true }))
    assert.deepEqual(
      await refused({ visibility: 'internal', mentions: [gone, 'op_01kah1vgm0e1tbm5ye8n2m9q7c'] }),
      [
        ['/mentions/0', 'not_allowed'],
        ['/mentions/1', 'not_found'],
      ],
    )
    succeeded(await test.patch(`/v1/operators/${grace}`, { archived: true }))
    const kept = succeeded(await test.patch(`/v1/messages/${noteId}`, { mentions: [grace] }))
    assert.deepEqual([kept.mentions, kept.edited_at, kept.version], [[grace], null, 2])
    assert.equal((await test.delete(`/v1/operators/${grace}`)).status, 204)
    const same = succeeded(await test.patch(`/v1/messages/${noteId}`, { mentions: [grace, ada] }))
    assert.deepEqual(same.mentions, [grace, ada])
    const redacted = succeeded(await test.post(`/v1/messages/${noteId}/redact`))
    assert.deepEqual(redacted.mentions, [])
    const again = await test.patch(`/v1/messages/${noteId}`, { mentions: [ada] })
    assert.deepEqual([again.status, again.body.code], [409, 'invalid_transition'])
  })

  test('notify whom a patch adds, also again, and a scheduled note when it is sent', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const [ada, grace] = (await operators(test, 2)) as [string, string]
    const mentioned = async () =>
      succeeded(await test.get('/v1/notifications?kind=mentioned', as(grace))).data.map(
        ({ count }: Body) => count,
      )
    const { id: noteId } = await note(test, id, ada, [])
    await noticed(test)
    assert.deepEqual(await mentioned(), [])
    for (const mentions of [[grace], [grace, ada], [], [grace]])
      succeeded(await test.patch(`/v1/messages/${noteId}`, { mentions }, as(ada)))
    await noticed(test)
    assert.deepEqual(await mentioned(), [2])
    const send_at = new Date(api.now() + 3_600_000).toISOString()
    const later = await say(test, id, 'operator', { operator_id: ada, visibility: 'internal', send_at })
    succeeded(await test.patch(`/v1/messages/${later.id}`, { mentions: [grace] }, as(ada)))
    await noticed(test)
    assert.deepEqual(await mentioned(), [2])
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 7_200 }))
    await noticed(test)
    assert.deepEqual(await mentioned(), [3])
  })
})
