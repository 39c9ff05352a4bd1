import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { interceptHomes } from '@backline/test/intercept.ts'
import { article, published } from '@backline/test/knowledge.ts'
import { until } from '@backline/test/processes.ts'

/* Pages and objects of megabytes: other reads go on beside them, and what does not fit on a page is not read. */

const api = service({})
const kib = 1024
const pageBytes = 4 * kib * kib
const long = 'word '.repeat(100_000)
/** An article has its text as Markdown and as HTML. */
const articles = 6

let filled: Promise<World> | undefined

/** A workspace with long articles, which the tests share. */
const filledWorld = () =>
  (filled ??= (async () => {
    const world = await api.world()
    for (let i = 0; i < articles; i++) await article(world.test, { body: `${i} ${long}` })
    return world
  })())

const sizeOf = (rows: unknown[]) => JSON.stringify(rows).length

/** Observes statements while `run` runs: what they return, and how many large ones run at the same time. */
async function observing(run: () => Promise<unknown>, gate?: Promise<void>) {
  const seen = { shared: 0, slow: 0, largeStatements: 0, atOnce: 0, waiting: 0 }
  let running = 0
  const end = interceptHomes(api.db, ({ rows, slowRows }) => ({
    rows: async (...given) => {
      const found = await rows(...given)
      seen.shared = Math.max(seen.shared, sizeOf(found))
      return found as never
    },
    slowRows: async (...given) => {
      const isLarge = given[0].strings.length > 0 && JSON.stringify(given[0]).includes('any(')
      if (!isLarge) return slowRows(...given) as never
      running++
      seen.waiting++
      seen.atOnce = Math.max(seen.atOnce, running)
      await gate
      const found = await slowRows(...given)
      running--
      seen.largeStatements++
      seen.slow += sizeOf(found)
      return found as never
    },
  }))
  try {
    await run()
  } finally {
    end()
  }
  return seen
}

test('a page reads what fits on it, and a walk sees each row once', async () => {
  const world = await filledWorld()
  const pages: Body[][] = []
  const seen = await observing(async () => {
    for (let cursor = ''; ; ) {
      const page = succeeded(await world.test.get(`/v1/kb/articles?limit=100${cursor}`))
      pages.push(page.data)
      if (!page.has_more) return
      cursor = `&cursor=${page.next_cursor}`
    }
  })
  assert.deepEqual(
    pages.map(({ length }) => length),
    [4, 2],
  )
  assert.equal(new Set(pages.flat().map(({ id }) => id)).size, articles)
  for (const { body } of pages.flat()) assert.equal(body.length, long.length + 2)
  assert.ok(seen.shared < 100 * kib, `${seen.shared} characters over a shared connection`)
  assert.ok(
    seen.slow < (articles * 1.1 * pageBytes) / 4,
    `${seen.slow} characters read for ${articles} articles`,
  )
})

test('a single large object is read beside the shared connections as well', async () => {
  const world = await filledWorld()
  const { data } = succeeded(await world.test.get('/v1/kb/articles?limit=1'))
  const seen = await observing(async () => {
    const answer = await world.test.get(`/v1/kb/articles/${data[0].id}`)
    assert.deepEqual(succeeded(answer), data[0])
  })
  assert.ok(seen.shared < 100 * kib, `${seen.shared} characters`)
  assert.equal(seen.largeStatements, 1)
})

test('an environment reads one large page at a time, and others read meanwhile', async () => {
  const world = await filledWorld()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { test: other } = await api.world()
  await conversation(other)
  const seen = await observing(async () => {
    const pages = Array.from({ length: 8 }, () => world.test.get('/v1/kb/articles?limit=100'))
    try {
      for (const client of [other, world.test]) succeeded(await client.get('/v1/conversations?limit=1'))
      succeeded(await other.get('/v1/tags'))
    } finally {
      resolve()
    }
    for (const page of await Promise.all(pages)) succeeded(page)
  }, promise)
  assert.equal(seen.atOnce, 1)
  assert.equal(seen.largeStatements, 8)
})

test('pages for which there is no room are refused before they are read', async () => {
  const world = await filledWorld()
  const { test: deaf } = await api.world()
  for (let i = 0; i < 4; i++) await article(deaf, { body: `${i} ${long}` })
  const sockets: Socket[] = []
  const statuses: string[] = []
  const clients = 30
  const { promise, resolve } = Promise.withResolvers<void>()
  try {
    const seen = await observing(async () => {
      for (let i = 0; i < clients; i++) sockets.push(askAndReadNothing(deaf, statuses))
      try {
        await until('several are refused before a page is read', async () => statuses.length > 5)
      } finally {
        resolve()
      }
      await until(`all are answered, not ${statuses.length}`, async () => statuses.length === clients)
    }, promise)
    const shown = statuses.filter((status) => status === '200').length
    assert.ok(shown > 0 && shown < clients, `${shown} pages`)
    assert.equal(statuses.filter((status) => status === '503').length, clients - shown)
    assert.equal(seen.largeStatements, shown)
    succeeded(await world.test.get('/v1/conversations?limit=1'))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

function askAndReadNothing({ key }: Client, statuses: string[]): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  void once(socket, 'data').then(([head]) => {
    socket.pause()
    statuses.push(head.subarray(9, 12).toString())
  })
  socket.write(`GET /v1/kb/articles HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`)
  return socket
}

test('versions and revisions of long texts are pages as well', async () => {
  const world = await filledWorld()
  const { id } = await published(world.test, { body: `0 ${long}`, slug: 'versions' })
  for (let i = 1; i < 10; i++) {
    succeeded(await world.test.patch(`/v1/kb/articles/${id}`, { body: `${i} ${long}` }))
    succeeded(await world.test.post(`/v1/kb/articles/${id}/publish`))
  }
  const seen: number[][] = []
  for (let cursor = ''; ; ) {
    const page = succeeded(await world.test.get(`/v1/kb/articles/${id}/versions?limit=100${cursor}`))
    seen.push(page.data.map(({ version }: Body) => version))
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(seen.flat(), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  assert.ok(seen.length > 1)
})
