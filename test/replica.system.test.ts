import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { act, type Body, conversation, say, succeeded } from './desk.ts'
import { blocksOf } from './guides.ts'
import { type Client, service } from './harness.ts'
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

function start({ key }: Client): ChildProcess {
  const environment = { ...process.env, BACKLINE_URL: api.url, BACKLINE_API_KEY: key }
  const child = spawn(process.execPath, ['copy.ts'], { cwd: project, env: environment, stdio: 'inherit' })
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  assert.equal(child.exitCode, null, 'the program has ended by itself')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Reads the copy; an empty one until the program has made it. */
function read<Row>(statement: string): Row[] {
  try {
    const database = new DatabaseSync(join(project, 'copy.db'), { readOnly: true })
    try {
      return database.prepare(statement).all() as Row[]
    } finally {
      database.close()
    }
  } catch {
    return []
  }
}

const copied = (): Map<string, Body> =>
  new Map(
    read<{ id: string; json: string }>('select id, json from objects').map(({ id, json }) => [
      id,
      JSON.parse(json),
    ]),
  )

/** Values that change without a version, as the page says. */
const unversioned = ['sla', 'usage_count', 'last_seen_at']
const versioned = (object: Body): Body =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !unversioned.includes(name)))

async function listed(client: Client, path: string): Promise<Body[]> {
  const rows: Body[] = []
  for (let cursor = ''; ; ) {
    const page = succeeded(await client.get(`${path}?limit=100${cursor}`))
    rows.push(...page.data)
    if (!page.has_more) return rows
    cursor = `&cursor=${page.next_cursor}`
  }
}

async function everything(client: Client): Promise<Map<string, Body>> {
  const conversations = await listed(client, '/v1/conversations')
  const messages: Body[] = []
  for (const { id } of conversations)
    messages.push(...(await listed(client, `/v1/conversations/${id}/messages`)))
  const others = [...(await listed(client, '/v1/tags')), ...(await listed(client, '/v1/end_users'))]
  return new Map([...conversations, ...messages, ...others].map((row) => [row.id, row]))
}

test('the program of docs/replica.md keeps a copy that equals the API, though it is killed on its way', async (t) => {
  const program = blocksOf('replica.md').find(({ language }) => language === 'ts')!
  writeFileSync(join(project, 'copy.ts'), program.text)
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  await run('npm', ['install', '--no-save', '--offline', '--no-audit', '--no-fund', await packSdk()], {
    cwd: project,
  })

  const random = new Random(seedOf(t))
  const { test: client } = await api.world()
  const ids: string[] = []
  let isWriting = true
  async function write(): Promise<void> {
    const id = ids.length === 0 ? null : random.pick(ids)
    const choice = random.below(8)
    if (id === null || choice === 0) {
      const { id } = await conversation(client, { external_user_id: `user_${random.below(20)}` })
      ids.push(id)
    } else if (choice < 5) await say(client, id, random.pick(['operator', 'end_user']))
    else if (choice === 5)
      await client.patch(`/v1/conversations/${id}`, { subject: `Subject ${random.below(1e6)}` })
    else if (choice === 6)
      await act(client, id, 'resolve').catch(() => undefined) // it is resolved already
    else {
      const { id: tag } = succeeded(await client.post('/v1/tags', { name: `Tag ${random.below(1e9)}` }))
      if (random.chance(0.7)) await client.delete(`/v1/tags/${tag}`)
    }
  }
  for (let i = 0; i < 600; i++) await write()
  const writing = (async () => {
    while (isWriting) await write()
  })()
  try {
    let child = start(client)
    await until('a part is copied', () => copied().size > 50)
    await kill(child)
    assert.deepEqual(read<{ is_copied: number }>('select is_copied from place')[0]?.is_copied, 0)
    for (let kills = 0; kills < 3; kills++) {
      child = start(client)
      const before = read<{ cursor: string }>('select cursor from place')[0]!.cursor
      await until(
        'it follows',
        () => read<{ cursor: string }>('select cursor from place')[0]?.cursor !== before,
      )
      await kill(child)
    }
    start(client)
  } finally {
    isWriting = false
    await writing
  }
  const expected = await everything(client)
  await until('the copy has all objects as they are', () => {
    const found = copied()
    return (
      found.size === expected.size &&
      [...expected].every(([id, { version }]) => found.get(id)?.version === version)
    )
  })
  const found = copied()
  for (const [id, object] of expected) assert.deepEqual(versioned(found.get(id)!), versioned(object), id)
})
