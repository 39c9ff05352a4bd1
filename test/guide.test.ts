import { test } from 'node:test'
import { follow } from './guides.ts'
import { service } from './harness.ts'

const api = service()

for (const page of ['guide.md', 'knowledge.md']) {
  test(`docs/${page} is true from its first request to its last`, async () => {
    const { test: client } = await api.world()
    await follow(client, page)
  })
}
