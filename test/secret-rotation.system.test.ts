import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { readConfig } from '@backline/server/compose/config.ts'
import { loadResources } from '@backline/server/compose/resources.ts'
import { beginRotation, findKeyChecks } from '@backline/server/compose/secret-key.ts'
import { rotateSecretKey } from '@backline/server/compose/secret-rotation.ts'
import { parseSecretKeys, sealAgain } from '@backline/server/platform/kernel/secret-box.ts'
import { type Database, openDatabase } from '@backline/server/platform/postgres/database.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { Webhook } from 'standardwebhooks'
import { run } from './command-line.ts'
import { cloneDatabase, urlOf } from './databases.ts'
import { type Client, clientOf } from './harness.ts'
import { endpoint, hookReceiver, localNetworks } from './hooks.ts'
import { cleanUp, launch, startServer, temporaryDirectory, until } from './processes.ts'

/* `backline secrets rotate`: the key that encrypts secrets is replaced while servers run. */

after(cleanUp)

const resources = await loadResources()
const newKey = () => randomBytes(32).toString('base64')

describe('a rotation of the secret key', () => {
  let db: Database
  let drop: () => Promise<void>
  let environment: Record<string, string>
  let dataDir: string
  let client: Client
  let connection: Awaited<ReturnType<typeof cloneDatabase>>['connection']
  const keyFile = () => join(dataDir, 'secret.key')
  const keys = () => parseSecretKeys(readFileSync(keyFile(), 'utf8'))!

  beforeEach(async () => {
    const database = await cloneDatabase()
    connection = database.connection
    drop = database.drop
    db = openDatabase(connection, () => undefined)
    dataDir = temporaryDirectory()
    environment = { DATABASE_URL: urlOf(connection), BACKLINE_DATA_DIR: dataDir, ...localNetworks }
    const server = await startServer({ environment })
    client = clientOf(server.url, (await server.firstKeys()).test)
  })
  afterEach(async () => {
    await cleanUp()
    await db.close()
    await drop()
  })

  const rotate = () => rotateSecretKey({ db, connection }, readConfig(environment), resources, 0)

  /** The number of stored secrets, each of which only the newest key opens. */
  async function sealedByNewest(): Promise<number> {
    const newest = keys().at(-1)!
    const rows = await db.rows<{ id: string; sealed: Buffer }>(sql`
      select id, secret_sealed as sealed from webhook_endpoints
      union all select id, headers_sealed from webhook_endpoints where headers_sealed is not null
      union all select id, sealed_secret from identity_keys where sealed_secret is not null
      union all select id, smtp_password_sealed from mailboxes where smtp_password_sealed is not null`)
    for (const { id, sealed } of rows)
      assert.equal(sealAgain({ current: newest, keys: [newest] }, sealed, id), null)
    return rows.length
  }

  test('under load signs every delivery, also of endpoints that are made meanwhile, and leaves nothing to the former key', async () => {
    const secrets = new Map<string, string>()
    const verified = new Set<string>()
    const refused: string[] = []
    const receiver = await hookReceiver(({ headers, body }, response, { url = '' }) => {
      const path = url.slice('/hook'.length)
      try {
        new Webhook(secrets.get(path)!).verify(body, headers)
        assert.equal(headers['x-own'], path)
        verified.add(`${path} ${headers['webhook-id']}`)
      } catch (error) {
        refused.push(String(error))
      }
      response.writeHead(204).end()
    })
    async function addEndpoint(name: string) {
      const path = `/${name}`
      secrets.set(path, '')
      const made = await endpoint(client, `${receiver.url}${path}`, {
        enabled_events: ['conversation.created'],
        headers: { 'x-own': path },
        status: 'paused',
      })
      secrets.set(path, made.secret)
      await client.patch(`/v1/webhook_endpoints/${made.id}`, { status: 'enabled' })
    }
    await addEndpoint('before')
    await client.post('/v1/identity_keys', { name: 'App', algorithm: 'HS256' })
    const smtp = { host: 'smtp.example.com', port: 465, security: 'tls', username: 'u', password: 'p' }
    await client.post('/v1/mailboxes', { address: 'support@example.com', smtp })
    appendFileSync(keyFile(), `${newKey()}\n`)

    let isRotating = true
    const load = (async () => {
      let round = 0
      do {
        await addEndpoint(`during-${round++}`)
        const created = await client.post('/v1/conversations', { external_user_id: 'u' })
        assert.equal(created.status, 201)
      } while (isRotating || round < 5)
    })()
    const outcome = await rotate()
    isRotating = false
    await load
    assert.ok(outcome.sealed >= 3, `${outcome.sealed} values`)
    await until('each conversation reaches the first endpoint', async () => {
      const { body } = await client.get('/v1/conversations?include=total')
      return [...verified].filter((each) => each.startsWith('/before ')).length === body.total
    })
    assert.deepEqual(refused, [])
    await rotate()
    assert.ok((await sealedByNewest()) >= 13)
    assert.equal((await findKeyChecks(db)).former, null)
  })

  test('that was interrupted is reported, needs both keys, and is completed by the command', async () => {
    await endpoint(client, 'http://127.0.0.1:9/', { headers: { authorization: 'x' } })
    const former = readFileSync(keyFile(), 'utf8')
    appendFileSync(keyFile(), `${newKey()}\n`)
    await beginRotation(db, keys()[0]!, keys()[1]!) // the process ended right after its first statement
    const both = readFileSync(keyFile(), 'utf8')

    writeFileSync(keyFile(), both.slice(former.length))
    const refused = launch({ environment: { ...environment, PORT: '0' } })
    assert.equal((await refused.ended()).code, 1)
    assert.match(refused.stderr, /the rotation of the secret key is not complete.*keep both keys/)
    writeFileSync(keyFile(), both)
    const report = await run(environment, 'doctor')
    assert.match(report.stdout, /secret key .*a rotation is not complete\n.*run backline secrets rotate/)

    const completed = await rotate()
    assert.deepEqual([completed.sealed, completed.formerKeys], [2, 1])
    assert.equal(await sealedByNewest(), 2)
    writeFileSync(keyFile(), both.slice(former.length))
    const server = await startServer({ environment })
    const headers = await clientOf(server.url, client.key).get('/v1/webhook_endpoints')
    assert.equal(headers.status, 200)
    assert.equal((await rotate().catch((error) => error)).message.includes('has no newer key'), true)
  })

  test('without a newer key says where to put one, and changes nothing', async () => {
    const file = await run(environment, 'secrets', 'rotate')
    assert.equal(file.code, 1)
    assert.match(file.stderr, /secret\.key has no newer key: add a line with a new key/)
    const key = readFileSync(keyFile(), 'utf8').trim()
    const set = await run({ ...environment, BACKLINE_SECRET_KEY: key }, 'secrets', 'rotate')
    assert.match(set.stderr, /BACKLINE_SECRET_KEY has no newer key: .*BACKLINE_SECRET_KEY=<current>,<new>/)
    assert.equal(keys().length, 1)
  })

  test('refuses to end while a stored secret can be opened by no key', async () => {
    await endpoint(client, 'http://127.0.0.1:9/')
    const stranger = createSecretKey(randomBytes(32))
    const [row] = await db.rows<{ id: string; sealed: Buffer }>(
      sql`select id, secret_sealed as sealed from webhook_endpoints`,
    )
    const other = sealAgain({ current: stranger, keys: keys() }, row!.sealed, row!.id)
    await db.write(sql`update webhook_endpoints set secret_sealed = ${other}`)
    appendFileSync(keyFile(), `${newKey()}\n`)
    await assert.rejects(rotate(), { name: 'SecretBoxError' })
    assert.ok((await findKeyChecks(db)).former, 'the former key is still needed')
  })
})

test('the embedded server gets a new key while it runs, and goes on with it', async () => {
  const environment = { BACKLINE_DATA_DIR: temporaryDirectory(), ...localNetworks }
  const server = await startServer({ environment })
  const client = clientOf(server.url, (await server.firstKeys()).test)
  await endpoint(client, 'http://127.0.0.1:9/')
  const rotated = await run(environment, '--json', 'secrets', 'rotate')
  assert.equal(rotated.code, 0, rotated.stderr)
  const { sealed, former_keys } = JSON.parse(rotated.stdout)
  assert.deepEqual([sealed, former_keys], [1, 1])
  await endpoint(client, 'http://127.0.0.1:9/')
  const [line, newest] = readFileSync(join(environment.BACKLINE_DATA_DIR, 'secret.key'), 'utf8').split('\n')
  assert.ok(line && newest && line !== newest)
  writeFileSync(join(environment.BACKLINE_DATA_DIR, 'secret.key'), `${newest}\n`)
  await server.stop()
  await startServer({ environment })
})
