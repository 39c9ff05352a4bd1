import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import { conversation, succeeded } from './desk.ts'
import { samples } from './file-samples.ts'
import { follow, runCommands } from './guides.ts'
import { service } from './harness.ts'
import { cleanUp, temporaryDirectory } from './processes.ts'

/* Runs the commands of guides in a shell. */

const api = service({ works: true })

after(cleanUp)

test('the commands of docs/filters.md list conversations, and set a filter of a webhook endpoint', async () => {
  const { test: client } = await api.world()
  const urgent = await conversation(client, { priority: 'urgent' })
  await conversation(client)
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 5 * 3600 }))
  const output = await runCommands(client, api.url, 'filters.md')
  const answers = output
    .join('')
    .split(/(?<=\})\s*(?=\{)/)
    .map((text) => JSON.parse(text))
  const [first, mine, field, withPlan, items, counts, endpoint] = answers
  assert.deepEqual(
    first.data.map(({ id }: { id: string }) => id),
    [urgent.id],
  )
  assert.deepEqual(mine.data, [])
  assert.equal(field.key, 'plan')
  assert.equal(withPlan.data.length, 2)
  assert.deepEqual(items.data, [])
  assert.deepEqual(
    counts.data.map(({ name, count }: { name: string | null; count: number }) => [name, count]),
    [
      [null, 0],
      ['open', 2],
      ['mine', 0],
    ],
  )
  assert.equal(endpoint.filter.any.length, 2)
})

test('the commands of docs/filters.md succeed after the requests of docs/guide.md', async () => {
  const { test: client } = await api.world()
  await follow(client, 'guide.md')
  await runCommands(client, api.url, 'filters.md')
})

test('the commands of docs/files.md upload a file', async () => {
  const { test: client } = await api.world()
  setPublicUrl(api.url) // uploads have absolute URLs
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'receipt.png'), samples.png)
  const [output] = await runCommands(client, api.url, 'files.md', directory)
  const { filename, status } = JSON.parse(output!.trim())
  assert.deepEqual([filename, status], ['receipt.png', 'ready'])
})
