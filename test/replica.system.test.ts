import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { type Body, succeeded } from './desk.ts'
import { blocksOf } from './guides.ts'
import { type Answer, type Client, service } from './harness.ts'
import { cleanUp, temporaryDirectory, until } from './processes.ts'
import { Random, seedOf } from './random.ts'
import { packSdk } from './sdk-tarball.ts'

/* Runs the program of docs/replica.md, with the packed SDK, beside writes, and kills it on its way. */

const api = service({})
const run = promisify(execFile)
const project = temporaryDirectory()
const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGKILL')
  return cleanUp()
})

function start({ key }: Client, url = api.url): ChildProcess {
  const environment = { ...process.env, BACKLINE_URL: url, BACKLINE_API_KEY: key }
  const child = spawn(process.execPath, ['copy.ts'], { cwd: project, env: environment, stdio: 'inherit' })
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

/** Forwards requests to the server, until fifty lists of messages were asked for; then nothing is answered. */
async function forwarder() {
  let lists = 0
  const isHeld = () => lists > 50
  const server = createServer(async (request, response) => {
    if (request.url!.includes('/messages')) lists++
    if (isHeld()) return
    const headers = { authorization: request.headers.authorization! }
    const answer = await fetch(api.url + request.url, { headers })
    const type = answer.headers.get('content-type')!
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isHeld }
}

async function kill(child: ChildProcess): Promise<void> {
  assert.equal(child.exitCode, null, 'the program has ended by itself')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Reads the copy; nothing until the program has made it. */
function read<Row>(statement: string): Row[] {
  if (!existsSync(join(project, 'copy.db'))) return []
  const database = new DatabaseSync(join(project, 'copy.db'), { readOnly: true, timeout: 5_000 })
  try {
    const isMade = database.prepare("select 1 from sqlite_master where name = 'place'").get()
    return isMade ? (database.prepare(statement).all() as Row[]) : []
  } finally {
    database.close()
  }
}

type Place = { cursor: string; is_copied: number }
const place = (): Place | undefined => read<Place>('select cursor, is_copied from place')[0]

const copied = (): Map<string, Body> =>
  new Map(
    read<{ id: string; json: string }>('select id, json from objects').map(({ id, json }) => [
      id,
      JSON.parse(json),
    ]),
  )

/** Values that change without a new version, as the page says. */
const unversioned = [
  'sla',
  'usage_count',
  'last_seen_at',
  'tags',
  'end_user_id',
  'external_user_id',
  'merged_into_id',
]
const versioned = (object: Body): Body =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !unversioned.includes(name)))

async function listed(client: Client, path: string): Promise<Body[]> {
  const rows: Body[] = []
  for (let cursor = ''; ; ) {
    const page = succeeded(await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`))
    rows.push(...page.data)
    if (!page.has_more) return rows
    cursor = `&cursor=${page.next_cursor}`
  }
}

/** All objects, scheduled messages aside. */
async function everything(client: Client): Promise<Map<string, Body>> {
  const conversations = await listed(client, '/v1/conversations?sort=created_at')
  const messages: Body[] = []
  for (const { id } of conversations)
    messages.push(...(await listed(client, `/v1/conversations/${id}/messages`)))
  const endUsers: Body[] = []
  for (const status of ['active', 'blocked', 'merged'])
    endUsers.push(...(await listed(client, `/v1/end_users?status=${status}`)))
  const tags = await listed(client, '/v1/tags?archived=true')
  return new Map([...conversations, ...messages, ...endUsers, ...tags].map((row) => [row.id, row]))
}

/** Makes changes of every kind to objects that it has made. */
function writer(client: Client, random: Random): () => Promise<void> {
  const conversations: string[] = []
  const messages: string[] = []
  const tags: string[] = []
  const endUsers: string[] = []
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
  const add = (ids: string[], { body }: Answer) => void (body.id && ids.push(body.id))
  const some = (ids: string[]) => random.pick(ids)
  const path = () => `/v1/conversations/${some(conversations)}`
  const said = (fields: object) =>
    client.post(`${path()}/messages`, { author_side: 'operator', body: 'Hello', ...fields })
  const makers = [
    async () =>
      add(
        conversations,
        await client.post('/v1/conversations', { external_user_id: `user_${random.below(20)}` }),
      ),
    async () => add(messages, await said({})),
    async () => add(tags, await client.post('/v1/tags', { name: `Tag ${random.below(1e9)}` })),
    async () => add(endUsers, await client.post('/v1/end_users', { name: `Somebody ${random.below(1e9)}` })),
  ]
  // Some are refused, such as those of what was deleted or resolved before.
  const changes: (() => Promise<unknown>)[] = [
    () => said({ author_side: 'end_user' }),
    () => client.patch(path(), { subject: `Subject ${random.below(1e6)}` }),
    () => client.post(`${path()}/resolve`),
    () => client.post(`${path()}/close`),
    () => client.put(`${path()}/tags`, { tags: [`Used ${random.below(10)}`] }),
    async () => client.post(`${path()}/merge`, { into_id: some(conversations) }),
    () => client.patch(`/v1/messages/${some(messages)}`, { body: `Edited ${random.below(1e6)}` }),
    () => client.post(`/v1/messages/${some(messages)}/redact`),
    async () => client.delete(`/v1/messages/${(await said({ send_at: inAnHour() })).body.id}`),
    () => client.patch(`/v1/tags/${some(tags)}`, { archived: random.chance(0.5) }),
    () => client.delete(`/v1/tags/${some(tags)}`),
    () => client.post(`/v1/tags/${some(tags)}/merge`, { into_id: some(tags) }),
    () => client.patch(`/v1/end_users/${some(endUsers)}`, { name: `Other ${random.below(1e6)}` }),
    () => client.delete(`/v1/end_users/${some(endUsers)}`),
    () => client.post(`/v1/end_users/${some(endUsers)}/merge`, { into_id: some(endUsers) }),
    () => client.post(`/v1/end_users/${some(endUsers)}/block`, {}),
  ]
  return async () => {
    const isReady = [conversations, messages, tags, endUsers].every(({ length }) => length > 0)
    const possible = conversations.length === 0 ? makers.slice(0, 1) : makers
    await random.pick(isReady && random.chance(0.5) ? changes : possible)()
  }
}

test('the program of docs/replica.md keeps a copy that equals the API, though it is killed on its way', async (t) => {
  const program = blocksOf('replica.md').find(({ language }) => language === 'ts')!
  writeFileSync(join(project, 'copy.ts'), program.text)
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  await run('npm', ['install', '--no-save', '--offline', '--no-audit', '--no-fund', await packSdk()], {
    cwd: project,
  })

  const { test: client } = await api.world()
  const write = writer(client, new Random(seedOf(t)))
  for (let i = 0; i < 1_200; i++) await write()
  let isWriting = true
  const writing = (async () => {
    while (isWriting) await write()
  })()
  try {
    const { url, isHeld } = await forwarder()
    let child = start(client, url)
    await until('a part is copied', isHeld)
    assert.ok(copied().size > 0)
    await kill(child)
    assert.equal(place()!.is_copied, 0)
    for (let kills = 0; kills < 3; kills++) {
      child = start(client)
      const { cursor } = place()!
      await until('it follows', () => place()!.cursor !== cursor)
      await kill(child)
    }
    start(client)
  } finally {
    isWriting = false
    await writing
  }
  const expected = await everything(client)
  const differences = () => {
    const found = copied()
    return [...new Set([...expected.keys(), ...found.keys()])].filter(
      (id) => found.get(id)?.version !== expected.get(id)?.version,
    )
  }
  await until(
    () =>
      `the copy has all objects as they are, but ${JSON.stringify(
        differences()
          .map((id) => [id, copied().get(id), expected.get(id)])
          .slice(0, 2),
      )}`,
    () => differences().length === 0,
  )
  const found = copied()
  for (const [id, object] of expected) assert.deepEqual(versioned(found.get(id)!), versioned(object), id)
  const types = new Set((await listed(client, '/v1/events')).map(({ type }) => type))
  for (const type of [
    'tag.deleted',
    'tag.merged',
    'end_user.deleted',
    'end_user.merged',
    'message.schedule_cancelled',
  ])
    assert.ok(types.has(type), type)
})
