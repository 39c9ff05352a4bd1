import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { conversation, succeeded } from './desk.ts'
import { service } from './harness.ts'
import { cleanUp, launch, temporaryDirectory } from './processes.ts'

/* Runs the commands of docs/filters.md in a shell. */

const api = service()
const guide = readFileSync(join(import.meta.dirname, '../docs/filters.md'), 'utf8')

after(cleanUp)

test('the commands of docs/filters.md list conversations, and set a filter of a webhook endpoint', async () => {
  const { test: client } = await api.world()
  const urgent = await conversation(client, { priority: 'urgent' })
  await conversation(client)
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 5 * 3600 }))
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => `${text}\necho\n`)
  const script = commands.join('').replace('http://127.0.0.1:8080', api.url).replace('bkl_test_…', client.key)
  const running = launch({
    command: ['bash', '-ec', script],
    directory: temporaryDirectory(),
    environment: {},
  })
  assert.equal((await running.ended()).code, 0, running.output)
  const answers = running.stdout.split(/(?<=\})\s*(?=\{)/).map((text) => JSON.parse(text))
  const [first, mine, field, withPlan, items, endpoint] = answers
  assert.deepEqual(
    first.data.map(({ id }: { id: string }) => id),
    [urgent.id],
  )
  assert.deepEqual(mine.data, [])
  assert.equal(field.key, 'plan')
  assert.equal(withPlan.data.length, 2)
  assert.deepEqual(items.data, [])
  assert.equal(endpoint.filter.any.length, 2)
})
