import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isWriteConflict, sqlState } from '@backline/server/platform/postgres/errors.ts'
import { commit } from '@backline/server/platform/unit-of-work/transact.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { erase } from '@backline/test/erasures.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { localNetworks } from '@backline/test/hooks.ts'
import {
  conversationLine,
  endOf,
  faultsIn,
  imported,
  type Line,
  messageLine,
  slowServer,
  startImport,
} from '@backline/test/imports.ts'
import { run } from '@backline/test/jobs.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'
import { checkedSlice, conversationPart } from './conversation-part.ts'
import { Resolver } from './resolver.ts'
import { simplePart } from './simple-part.ts'
import type { LinesDone, Work } from './work.ts'

/* People who are erased while an import runs stay erased. */

const api = service({ works: true, environment: localNetworks })

let people = 0

/** A text that only one person has. */
const text = () => `okapi${++people}x`

const userWith = async (client: Client, external_id: string): Promise<Body> =>
  succeeded(await client.get(`/v1/end_users?external_id=${external_id}`)).data[0]

test('a person who is erased while an import runs is in none of its later parts', async (t) => {
  const { test: client } = await api.world()
  const own = text()
  const { url, asked, answer } = await slowServer(t)
  const lines: Line[] = [
    { type: 'end_user', external_id: own, name: `${own} Hopper` },
    conversationLine('c1', { end_user_external_id: own }),
    messageLine('m1', 'c1', { body: `${own} says` }),
    conversationLine('c2', { end_user_external_id: 'friend' }),
    // As many characters as one part has.
    ...Array.from({ length: 40 }, (_, i) => messageLine(`f${i}`, 'c2', { body: 'word '.repeat(12_000) })),
    messageLine('last', 'c2', { attachments: [{ url }] }),
    messageLine('m2', 'c2', { author_end_user_external_id: own, body: `${own} joins` }),
    conversationLine('c3', { end_user_external_id: own, subject: own }),
    messageLine('m3', 'c3', { body: `${own} again` }),
    conversationLine('c4', { end_user_external_id: 'friend', participant_external_ids: [own] }),
  ]
  const job = await startImport(api, client, lines)
  await asked
  const { id } = await userWith(client, own)
  const erased = await run(client, `/v1/end_users/${id}/erase`, {})
  assert.equal(erased.status, 'succeeded', JSON.stringify(erased.error))
  answer()
  const { results } = await endOf(client, job, lines)
  assert.deepEqual(faultsIn(results), [
    [46, ['/author_end_user_external_id not_allowed']],
    [47, ['/end_user_external_id not_allowed']],
    [48, ['/conversation_external_id not_found']],
    [49, ['/participant_external_ids/0 not_allowed']],
  ])
  await until('no text is left', async () => (await placesOf(api, [own])).length === 0)
})

describe('a part of an import is not written if a person was erased since it was read:', () => {
  async function world() {
    const { test: client, environments } = await api.world()
    const ctx = api.context(environments.test)
    const params = { file_id: '', source: 'zendesk', on_conflict: 'skip' } as const
    const work: Work = { ctx, params, isDry: false, resolver: new Resolver('zendesk'), declared: new Map() }
    const own = text()
    const user = succeeded(await client.post('/v1/end_users', { external_id: own, name: own }))
    const isRefused = async ({ changes }: LinesDone) => {
      await erase(api, environments.test, user.id)
      await assert.rejects(
        commit(
          ctx,
          changes.map(({ draft }) => draft),
          changes.map(({ plan }) => plan),
        ),
        (error) => isWriteConflict(sqlState(error)),
      )
      assert.deepEqual(await placesOf(api, [own]), [])
    }
    return { client, work, own, user, isRefused }
  }
  const part = async (work: Work, conversations: object[], messages: object[]) => {
    const raw = (lines: object[]) => lines.map((object, i) => ({ number: i + 1, object: { ...object } }))
    const unit = { externalId: 'c1', conversations: raw(conversations), messages: raw(messages) }
    const slice = await checkedSlice(work, { unit, from: 0, to: messages.length })
    return conversationPart(work, [slice], new Map())
  }

  test('the end user of a new conversation', async () => {
    const { work, own, isRefused } = await world()
    await isRefused(await part(work, [conversationLine('c1', { end_user_external_id: own })], []))
  })

  test('the end user of a conversation that gets messages', async () => {
    const { client, work, own, user, isRefused } = await world()
    succeeded(await client.post('/v1/conversations', { end_user_id: user.id, external_id: 'c1' }))
    await isRefused(await part(work, [], [messageLine('m1', 'c1', { body: own })]))
  })

  test('the author of a message', async () => {
    const { client, work, own, isRefused } = await world()
    succeeded(await client.post('/v1/conversations', { external_user_id: 'friend', external_id: 'c1' }))
    const line = messageLine('m1', 'c1', { author_end_user_external_id: own, body: own })
    await isRefused(await part(work, [], [line]))
  })

  test('the end user whom a line names for the first time', async () => {
    const { work, own, isRefused } = await world()
    const record = { number: 1, text: JSON.stringify({ type: 'end_user', external_id: own }), end: null }
    await isRefused(await simplePart(work, 'end_user', [record], null))
  })
})

test('an end user who was deleted is made anew by a conversation', async () => {
  const { test: client } = await api.world()
  const first = await imported(api, client, [{ type: 'end_user', external_id: 'user_1', name: 'Grace' }])
  assert.equal((await client.delete(`/v1/end_users/${first.results[0].id}`)).status, 204)
  const { job } = await imported(api, client, [conversationLine('c1')])
  assert.equal(job.progress.failed, 0)
  assert.notEqual((await userWith(client, 'user_1')).id, first.results[0].id)
})
