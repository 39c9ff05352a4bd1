import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { rounds } from '@backline/test/thorough.ts'

/*
 * Concurrent changes of one tree by two server processes. Within one process they would queue and never reach the
 * database.
 */

const api = service()
const times = rounds(20, 5)
let otherUrl = ''

type Category = { id: string; path: string[] }

async function category(client: Client, name: string, parent: Category | null = null): Promise<Category> {
  const answer = await client.post('/v1/categories', { name, parent_id: parent?.id ?? null })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function chain(client: Client, names: string[], parent: Category | null = null): Promise<Category[]> {
  const made: Category[] = []
  for (const name of names) made.push(await category(client, name, made.at(-1) ?? parent))
  return made
}

/** Sends the request of `client` to the other process. */
async function elsewhere(client: Client, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(otherUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${client.key}`,
      'idempotency-key': crypto.randomUUID(),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body ? JSON.stringify(body) : null,
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, body: text === '' ? null : JSON.parse(text) }
}

/** One of the two succeeded, and the other one failed because of its parent. */
function assertOneRefused(answers: Answer[], code = 'not_allowed'): void {
  const texts = answers.map(({ status, text }) => `${status} ${text}`).join('\n')
  const refused = answers.filter(({ status }) => status === 422)
  assert.equal(refused.length, 1, texts)
  assert.equal(answers.filter(({ status }) => status === 200 || status === 201).length, 1, texts)
  assert.partialDeepStrictEqual(refused[0]!.body.errors, [{ pointer: '/parent_id', code }])
}

describe('two servers', () => {
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('one of two opposite moves succeeds, and there is no cycle', async () => {
    const { test } = await api.world()
    for (let round = 0; round < times; round++) {
      const a = await category(test, `a${round}`)
      const b = await category(test, `b${round}`)
      assertOneRefused(
        await Promise.all([
          test.patch(`/v1/categories/${a.id}`, { parent_id: b.id }),
          elsewhere(test, 'PATCH', `/v1/categories/${b.id}`, { parent_id: a.id }),
        ]),
      )
    }
  })

  test('one of two opposite moves succeeds when they have no row in common', async () => {
    const { test } = await api.world()
    for (let round = 0; round < times; round++) {
      const [a, belowA] = await chain(test, [`a${round}`, 'below'])
      const [b, belowB] = await chain(test, [`b${round}`, 'below'])
      assertOneRefused(
        await Promise.all([
          test.patch(`/v1/categories/${a!.id}`, { parent_id: belowB!.id, name: `x${round}` }),
          elsewhere(test, 'PATCH', `/v1/categories/${b!.id}`, { parent_id: belowA!.id, name: `y${round}` }),
        ]),
      )
    }
  })

  test('a subtree cannot be moved down while it grows by the level that is too many', async () => {
    const { test } = await api.world()
    const deep = (await chain(test, ['1', '2', '3', '4', '5'])).at(-1)!
    for (let round = 0; round < times; round++) {
      const [top, , foot] = await chain(test, [`top${round}`, 'middle', 'foot'])
      assertOneRefused(
        await Promise.all([
          test.patch(`/v1/categories/${top!.id}`, { parent_id: deep.id }),
          elsewhere(test, 'POST', '/v1/categories', { name: 'toe', parent_id: foot!.id }),
        ]),
      )
    }
  })

  test('a category is deleted, or something is put below it, but not both', async () => {
    const { test } = await api.world()
    for (let round = 0; round < times; round++) {
      const parent = await category(test, `parent${round}`)
      const [removed, created] = await Promise.all([
        test.delete(`/v1/categories/${parent.id}`),
        elsewhere(test, 'POST', '/v1/categories', { name: 'child', parent_id: parent.id }),
      ])
      const outcome = `${removed.status} and ${created.status}`
      assert.ok(['204 and 422', '409 and 201'].includes(outcome), outcome)
    }
  })

  test('many changes of one tree at one time are all carried out, each once', async () => {
    const { test } = await api.world()
    const parent = await category(test, 'parent')
    const create = (i: number) => {
      const body = { name: `child ${i}`, parent_id: parent.id }
      return i % 2 === 0 ? test.post('/v1/categories', body) : elsewhere(test, 'POST', '/v1/categories', body)
    }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => create(i)))
    for (const { status, text } of answers) assert.equal(status, 201, text)
    const { body } = await test.get(`/v1/categories?parent_id=${parent.id}&limit=100`)
    assert.equal(body.data.length, 30)
  })
})
