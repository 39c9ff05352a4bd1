import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { localNetworks } from '@backline/test/hooks.ts'
import {
  conversationLine,
  endOf,
  faultsIn,
  imported,
  messageLine,
  slowServer,
  startImport,
} from '@backline/test/imports.ts'

const api = service({ works: true, environment: localNetworks })

describe('a conversation with links', () => {
  const linked = [
    conversationLine('c1', { merged_into_external_id: 'c2', follow_up_of_external_id: 'c2' }),
    conversationLine('c1', { follow_up_of_external_id: 'c2' }),
    conversationLine('c2', { follow_up_of_external_id: 'c9' }),
    conversationLine('c3', { follow_up_of_external_id: 'c3' }),
    conversationLine('c4', { follow_up_of_external_id: '\u{1f600}'.repeat(200) }),
    conversationLine('c5', { follow_up_of_external_id: 'c1', status: 'gone' }),
  ]

  test('has one result for each line, in a dry run and when it is repeated too', async () => {
    const { test: client } = await api.world()
    const tried = await imported(api, client, linked, { dry_run: true })
    assert.deepEqual(
      faultsIn(tried.results).map(([line]) => line),
      [4, 6],
    )
    for (const _ of ['first', 'again']) {
      const { results } = await imported(api, client, linked)
      assert.deepEqual(
        faultsIn(results).map(([line]) => line),
        [3, 4, 5, 6],
      )
    }
  })

  test('has a result also if it is deleted before the links are written', async (t) => {
    const { test: client } = await api.world()
    const { url, asked, answer } = await slowServer(t)
    const lines = [
      conversationLine('c1', { follow_up_of_external_id: 'c0' }),
      // As many characters as one part has.
      ...Array.from({ length: 40 }, (_, i) => messageLine(`m${i}`, 'c2', { body: 'word '.repeat(12_000) })),
      conversationLine('c2'),
      messageLine('last', 'c2', { attachments: [{ url }] }),
    ]
    const job = await startImport(api, client, lines)
    await asked
    const { data } = succeeded(await client.get('/v1/conversations'))
    const { id } = data.find(({ external_id }: { external_id: string }) => external_id === 'c1')
    assert.equal((await client.delete(`/v1/conversations/${id}`)).status, 204)
    answer()
    const { results } = await endOf(client, job, lines)
    assert.deepEqual(faultsIn(results), [[1, ['null not_found']]])
  })
})
