import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findRunning,
  startEmbedded,
} from './embedded.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'backline-embedded-'))
chmodSync(root, 0o755) // as root, PostgreSQL's user must be able to pass
const children = new Set<ChildProcess>()
const servers = new Set<EmbeddedPostgres>()

after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.allSettled([...servers].map((server) => server.stop()))
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

type Changes = Partial<Omit<EmbeddedOptions, 'dataDir'>>

async function start(dataDir: string, changes: Changes = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbedded({
    dataDir,
    purpose: 'server',
    log: () => {},
    ...changes,
  })
  servers.add(server)
  return server
}

async function query(connection: EmbeddedPostgres['connection'], text: string): Promise<unknown[][]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** Retries until PostgreSQL responds again. */
async function queryInTime(connection: EmbeddedPostgres['connection'], text: string): Promise<unknown[][]> {
  for (let tries = 0; ; tries++) {
    try {
      return await query(connection, text)
    } catch (error) {
      if (tries === 200) throw error
      await sleep(25)
    }
  }
}

async function oneLineError(promise: Promise<EmbeddedPostgres>): Promise<string> {
  const error = await promise.then(
    (server) => server.stop().then(() => assert.fail('it started')),
    (error) => error,
  )
  assert.ok(error instanceof EmbeddedPostgresError, String(error))
  assert.doesNotMatch(error.message, /\n/)
  return error.message
}

/** A separate process. `firstLine` is "up" or the error message. */
function startProcess(
  dataDir: string,
  purpose = 'server',
): { child: ChildProcess; firstLine: Promise<string> } {
  const script = `
    import { startEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    const options = { dataDir: process.argv[1], purpose: process.argv[2], log() {} }
    const server = await startEmbedded(options).catch((error) => (console.log(error.message), process.exit(1)))
    process.on('SIGTERM', () => server.stop().then(() => process.exit()))
    console.log('up')
    setInterval(() => {}, 1000)`
  const args = ['--input-type=module', '-e', script, dataDir, purpose]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const firstLine = once(createInterface(child.stdout), 'line').then(([line]) => line)
  return { child, firstLine }
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const postmasterPid = (dataDir: string) =>
  Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

test('a fresh directory gets a database that knows Unicode, and keeps its data', async () => {
  const dataDir = path.join(root, 'fresh')
  assert.equal(await findRunning(dataDir), null)
  const server = await start(dataDir)
  assert.deepEqual(await query(server.connection, `select lower('ÄÖÜ'), 'é' ~ '\\w'`), [['äöü', true]])
  const settings = `select current_setting('data_checksums'), current_setting('fsync'), current_setting('timezone'),
    current_setting('listen_addresses')`
  assert.deepEqual(await query(server.connection, settings), [['on', 'on', 'UTC', '']])
  await query(server.connection, 'create table kept as select 42 as answer')
  assert.equal(statSync(path.join(dataDir, 'postgres')).mode & 0o777, 0o700)
  assert.equal(server.connection.host, path.join(dataDir, 'postgres'))
  assert.deepEqual(await findRunning(dataDir), server.connection)
  await Promise.all([server.stop(), server.stop()])
  assert.equal(await findRunning(dataDir), null)

  const again = await start(dataDir)
  assert.deepEqual(await query(again.connection, 'select answer from kept'), [[42]])
  await again.stop()
  assert.deepEqual(readdirSync(dataDir).sort(), ['backline.lock', 'postgres', 'postgres.log'])
})

test('a path may hold spaces, commas, quotes and letters beyond ASCII', async () => {
  const server = await start(path.join(root, `my "own", dâta 'ü'`))
  assert.deepEqual(await query(server.connection, 'select 1'), [[1]])
  await server.stop()
})

test('a path too long for a socket gets a private directory for it elsewhere', async () => {
  const dataDir = path.join(root, 'long'.repeat(30))
  const server = await start(dataDir)
  const { host } = server.connection
  assert.equal(path.dirname(host), os.tmpdir())
  assert.equal(statSync(host).mode & 0o777, 0o700)
  assert.deepEqual(await findRunning(dataDir), server.connection)
  assert.deepEqual(await query(server.connection, 'select 1'), [[1]])
  await server.stop()
  assert.equal(existsSync(host), false)
})

test('a second server is refused and does not disturb the first', async () => {
  const dataDir = path.join(root, 'second')
  const server = await start(dataDir)
  const before = await query(server.connection, 'select pg_postmaster_start_time()::text')
  const line = await startProcess(dataDir).firstLine
  assert.match(
    line,
    new RegExp(`^another Backline server \\(process ${process.pid}\\) is already using ${dataDir}`),
  )
  rmSync(path.join(dataDir, 'backline.lock')) // like a user who takes it for a stale one
  assert.equal(await startProcess(dataDir).firstLine, line)
  assert.deepEqual(await query(server.connection, 'select pg_postmaster_start_time()::text'), before)
  await server.stop()
})

test('of two servers that start at the same moment one wins', async () => {
  const dataDir = path.join(root, 'race')
  for (const round of ['fresh', 'existing']) {
    const both = [startProcess(dataDir), startProcess(dataDir)]
    const lines = await Promise.all(both.map(({ firstLine }) => firstLine))
    const winner = both[lines.indexOf('up')]!
    const loser = lines.find((line) => line !== 'up')
    assert.match(loser ?? '', new RegExp(`another Backline server \\(process ${winner.child.pid}\\)`), round)
    await end(winner.child, 'SIGTERM')
  }
})

test('a server waits for a command that has the directory for a moment', async () => {
  const dataDir = path.join(root, 'command')
  const { child, firstLine } = startProcess(dataDir, 'command')
  assert.equal(await firstLine, 'up')
  assert.equal(await findRunning(dataDir), null) // it is about to end
  const starting = start(dataDir)
  await sleep(200)
  await end(child, 'SIGTERM')
  await (await starting).stop()
})

test('the PostgreSQL of a killed server is replaced', async () => {
  const dataDir = path.join(root, 'orphan')
  const { child, firstLine } = startProcess(dataDir)
  assert.equal(await firstLine, 'up')
  await query((await findRunning(dataDir))!, 'create table kept as select 42 as answer')
  const orphanPid = postmasterPid(dataDir)
  await end(child, 'SIGKILL')
  process.kill(orphanPid, 0) // it is alive
  const messages: string[] = []
  const server = await start(dataDir, { log: (_, message) => messages.push(message) })
  assert.match(
    messages[0] ?? '',
    new RegExp(`process ${orphanPid}\\), left running by a Backline process that was killed`),
  )
  assert.notEqual(postmasterPid(dataDir), orphanPid)
  assert.deepEqual(await query(server.connection, 'select answer from kept'), [[42]])
  await server.stop()
})

test('everything killed at once recovers', async () => {
  const dataDir = path.join(root, 'everything')
  const { child, firstLine } = startProcess(dataDir)
  assert.equal(await firstLine, 'up')
  await query((await findRunning(dataDir))!, 'create table kept as select 42 as answer')
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await end(child, 'SIGKILL')
  const server = await start(dataDir)
  assert.deepEqual(await query(server.connection, 'select answer from kept'), [[42]])
  await server.stop()
})

test('a killed PostgreSQL comes back by itself, and so does a lost lock', async () => {
  const dataDir = path.join(root, 'supervised')
  const messages: string[] = []
  const server = await start(dataDir, { log: (_, message) => messages.push(message) })
  await query(server.connection, 'create table kept as select 42 as answer')
  for (let round = 0; round < 2; round++) {
    const busy = query(server.connection, 'select pg_sleep(60)').catch(() => {}) // its session must end as well
    await sleep(50)
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    await busy
    assert.deepEqual(await queryInTime(server.connection, 'select answer from kept'), [[42]])
    while (!(await findRunning(dataDir))) await sleep(25)
  }
  assert.match(messages.join('\n'), /exited unexpectedly; restarting it: killed by SIGKILL/)

  const holders = `from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory'`
  await query(server.connection, `select pg_terminate_backend(pid) ${holders}`)
  while (!(await findRunning(dataDir))) await sleep(25)
  assert.deepEqual(await query(server.connection, `select application_name ${holders}`), [
    [`backline server ${process.pid}`],
  ])

  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await sleep(30)
  await server.stop() // during a restart
  await start(dataDir).then((again) => again.stop())
})

test('what a first start left unfinished is removed', async () => {
  const dataDir = path.join(root, 'leftovers')
  mkdirSync(path.join(dataDir, 'postgres.init-1', 'base'), { recursive: true })
  mkdirSync(path.join(dataDir, 'postgres'))
  writeFileSync(path.join(dataDir, 'postgres.init-1', 'PG_VERSION'), '18\n')
  await start(dataDir).then((server) => server.stop())
  assert.deepEqual(readdirSync(dataDir).sort(), ['backline.lock', 'postgres', 'postgres.log'])
})

test('a pid file that names another program is no obstacle', async () => {
  const dataDir = path.join(root, 'pid file')
  await start(dataDir).then((server) => server.stop())
  const cluster = path.join(dataDir, 'postgres')
  const other = spawn('sleep', ['60'])
  children.add(other)
  const lines = [other.pid, cluster, 1, 5432, cluster, '', '  1234 5', 'ready   ', '']
  writeFileSync(path.join(cluster, 'postmaster.pid'), lines.join('\n'))
  writeFileSync(path.join(cluster, '.s.PGSQL.5432.lock'), lines.join('\n'))
  await start(dataDir).then((server) => server.stop())
  assert.equal(other.exitCode ?? other.signalCode, null)
})

test('a directory that cannot be used is refused with a line to act on', async () => {
  const foreign = path.join(root, 'foreign')
  mkdirSync(path.join(foreign, 'postgres'), { recursive: true })
  writeFileSync(path.join(foreign, 'postgres', 'notes.txt'), 'mine')
  assert.match(
    await oneLineError(start(foreign)),
    /not empty and contains no PostgreSQL database: move its contents elsewhere/,
  )
  writeFileSync(path.join(foreign, 'postgres', 'PG_VERSION'), '17\n')
  assert.match(
    await oneLineError(start(foreign)),
    /created by PostgreSQL 17, but this version of Backline includes PostgreSQL 18/,
  )
  assert.equal(readFileSync(path.join(foreign, 'postgres', 'notes.txt'), 'utf8'), 'mine')
  assert.match(
    await oneLineError(start(path.join(foreign, 'postgres', 'notes.txt'))),
    /cannot use the data directory/,
  )

  const broken = path.join(root, 'broken')
  await start(broken).then((server) => server.stop())
  writeFileSync(path.join(broken, 'postgres', 'postgresql.conf'), 'nonsense')
  assert.match(
    await oneLineError(start(broken)),
    /PostgreSQL failed to start: exit code 1, .*syntax error in file/,
  )
})

test('a long log is put aside', async () => {
  const dataDir = path.join(root, 'log')
  mkdirSync(dataDir)
  writeFileSync(path.join(dataDir, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024))
  await start(dataDir).then((server) => server.stop())
  assert.ok(statSync(path.join(dataDir, 'postgres.log.1')).size > 10 * 1024 * 1024)
  assert.ok(statSync(path.join(dataDir, 'postgres.log')).size < 10_000)
})

test("as root, a directory closed to PostgreSQL's user", { skip: process.getuid?.() !== 0 }, async () => {
  const closed = path.join(root, 'closed')
  mkdirSync(path.join(closed, 'data'), { recursive: true })
  chmodSync(closed, 0o700)
  const messages: string[] = []
  const options: Changes = { log: (_, message) => messages.push(message) }
  const server = await start(path.join(closed, 'data'), options)
  const home = path.dirname(realpathSync(path.join(closed, 'data', 'postgres')))
  try {
    assert.match(home, /^\/var\/lib\/backline\//)
    assert.match(messages[0] ?? '', new RegExp(`cannot access ${closed}: the database is in ${home}`))
    await query(server.connection, 'create table kept as select 42 as answer')
    await server.stop()
    const again = await start(path.join(closed, 'data'))
    assert.deepEqual(await query(again.connection, 'select answer from kept'), [[42]])
    assert.deepEqual(await findRunning(path.join(closed, 'data')), again.connection)
    await again.stop()
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  assert.match(await oneLineError(start(path.join(closed, 'data'))), /links to .* which does not exist/)

  const own = path.join(root, 'own') // only the directory itself is closed, like one of mktemp -d
  mkdirSync(own, { mode: 0o700 })
  await start(own).then((server) => server.stop())
  assert.equal(statSync(own).mode & 0o777, 0o710)
})
