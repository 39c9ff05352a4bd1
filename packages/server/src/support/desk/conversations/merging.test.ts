import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

const merge = (client: Client, id: string, into_id: string) =>
  client.post(`/v1/conversations/${id}/merge`, { into_id })
const pathOf = (id: string, query = '') => `/v1/conversations/${id}/messages?${query}`
const bodiesOf = async (client: Client, id: string, query = 'include=merged'): Promise<string[]> =>
  succeeded(await client.get(pathOf(id, query))).data.map(({ body }: Body) => body)

/** Conversations with interleaved messages. */
async function interleaved(client: Client, count: number, messages: number) {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await conversation(client)).id)
  const bodies: string[] = []
  for (let i = 0; i < messages; i++) {
    const body = `message ${i}`
    await say(client, ids[i % count]!, 'end_user', { body })
    bodies.push(body)
  }
  return { ids, bodies }
}

describe('merging a conversation', () => {
  test('closes it for another one; both tell, and each keeps its messages and counts', async () => {
    const { test } = await api.world()
    const { ids, bodies } = await interleaved(test, 2, 6)
    const [source, target] = ids as [string, string]
    const before = await shown(test, target)
    const merged = succeeded(await merge(test, source, target))
    assert.partialDeepStrictEqual(merged, { status: 'closed', merged_into_id: target, message_count: 3 })
    const after = await shown(test, target)
    assert.deepEqual(
      { ...after, version: 0, updated_at: '' },
      { ...before, version: 0, updated_at: '' },
      'the other one shows nothing new',
    )
    assert.equal(after.version, before.version + 1)
    for (const [id, type] of [
      [source, 'conversation.merged'],
      [target, 'conversation.updated'],
    ] as const) {
      const { data } = succeeded(await test.get(`/v1/conversations/${id}/timeline?limit=100`))
      assert.equal(data.at(-1).type, type)
      assert.equal(data.at(-1).resource.version, data.at(-1).data.object.version)
    }
    assert.deepEqual(
      await bodiesOf(test, source, ''),
      bodies.filter((_, i) => i % 2 === 0),
    )
    assert.deepEqual(
      await bodiesOf(test, target, ''),
      bodies.filter((_, i) => i % 2 === 1),
    )
    assert.deepEqual(await bodiesOf(test, target), bodies)
    assert.deepEqual(await bodiesOf(test, target, 'include=merged&sort=-sequence'), bodies.toReversed())
    assert.equal((await say(test, target, 'end_user')).sequence, 4)
  })

  test('takes along what was merged into it', async () => {
    const { test } = await api.world()
    const { ids, bodies } = await interleaved(test, 4, 12)
    for (const i of [0, 1, 2]) succeeded(await merge(test, ids[i]!, ids[i + 1]!))
    assert.deepEqual(await bodiesOf(test, ids[3]!), bodies)
    assert.deepEqual(
      await bodiesOf(test, ids[1]!),
      bodies.filter((_, i) => i % 4 < 2),
    )
    assert.equal((await shown(test, ids[0]!)).merged_into_id, ids[1])
  })

  test('shows all in pages, in the order of time, also when others are added meanwhile', async () => {
    const { test } = await api.world()
    const { ids, bodies } = await interleaved(test, 3, 15)
    for (const i of [0, 1]) succeeded(await merge(test, ids[i]!, ids[2]!))
    for (const sort of ['sequence', '-sequence']) {
      const walked: Body[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: string = `include=merged&limit=4&sort=${sort}${cursor && `&cursor=${cursor}`}`
        const page: Body = succeeded(await test.get(pathOf(ids[2]!, query)))
        walked.push(...page.data.map(({ body }: Body) => body))
        cursor = page.next_cursor
        if (sort === '-sequence') await say(test, ids[2]!, 'end_user', { body: 'later' })
      }
      assert.deepEqual(walked, sort === 'sequence' ? bodies : bodies.toReversed())
    }
    const total = succeeded(await test.get(pathOf(ids[0]!, 'include=total')))
    assert.equal(total.total, 5)
  })

  test('a cursor of the list with what was merged is none of the list without it', async () => {
    const { test } = await api.world()
    const { ids } = await interleaved(test, 2, 8)
    succeeded(await merge(test, ids[0]!, ids[1]!))
    for (const [of, at] of [
      ['include=merged&', ''],
      ['', 'include=merged&'],
    ]) {
      const { next_cursor } = succeeded(await test.get(pathOf(ids[1]!, `${of}limit=2`)))
      const { status, body } = await test.get(pathOf(ids[1]!, `${at}limit=2&cursor=${next_cursor}`))
      assert.deepEqual([status, body.code], [400, 'cursor_mismatch'])
    }
  })

  test('422 into itself, one of another end user, a closed one, one of another environment, or none', async () => {
    const { test, live } = await api.world()
    const { id } = await conversation(test)
    const closed = await conversation(test)
    await act(test, closed.id, 'close')
    const other = await conversation(test, { external_user_id: 'somebody else' })
    for (const [into, code] of [
      [id, 'not_allowed'],
      [other.id, 'not_allowed'],
      [closed.id, 'not_allowed'],
      [(await conversation(live)).id, 'not_found'],
    ]) {
      const { status, body } = await merge(test, id, into)
      assert.equal(status, 422)
      assert.partialDeepStrictEqual(body.errors, [{ pointer: '/into_id', code }])
    }
    assert.partialDeepStrictEqual(await shown(test, id), { status: 'new', version: 1 })
    const { status, body } = await merge(test, closed.id, id)
    assert.deepEqual([status, body.code], [409, 'invalid_transition'])
  })

  test('of two that are merged into each other at once, one is merged', async () => {
    const { test } = await api.world()
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await conversation(test), await conversation(test)]
      const answers = await Promise.all([merge(test, one.id, two.id), merge(test, two.id, one.id)])
      const texts = answers.map(({ text }) => text).join('\n')
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, texts)
      const states = [(await shown(test, one.id)).status, (await shown(test, two.id)).status]
      assert.deepEqual(states.sort(), ['closed', 'new'])
    }
  })
})
