import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { cursorSecret, issueKey } from '../src/bootstrap.ts'
import { readConfig } from '../src/config.ts'
import type { Environment } from '../src/context.ts'
import { type Connection, type Database, openDatabase } from '../src/db/database.ts'
import { openJournalReader } from '../src/db/journal-reader.ts'
import { pendingMigrations } from '../src/db/migrate.ts'
import { openNotifications } from '../src/db/notifications.ts'
import { parseSecretKey, type SecretBox, secretBox } from '../src/lib/secret-box.ts'
import type { Resource } from '../src/resource.ts'
import { createWorkspace } from '../src/resources/workspace/actions.ts'
import { listEnvironments } from '../src/resources/workspace/queries.ts'
import { loadResources } from '../src/resources.ts'
import { startWork, type Work } from '../src/work.ts'
import { cloneDatabase, secretKey } from './databases.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
export type Answer = { status: number; headers: Headers; body: any; text: string }

/** Speaks HTTP with one API key. Every POST gets a fresh Idempotency-Key unless `headers` names one. */
export type Client = {
  key: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, headers?: Record<string, string>): Promise<Answer>
}

/** A workspace of its own, so that tests of one file do not see each other's data. */
export type World = {
  live: Client
  test: Client
  environments: { live: Environment; test: Environment }
  /** A client of the test environment with a key of these scopes. */
  withScopes(...scopes: string[]): Promise<Client>
}

export type Service = {
  url: string
  app: FastifyInstance
  db: Database
  connection: Connection
  resources: Resource[]
  secretBox: SecretBox
  /** Moves the clock that the server and all environments live by. */
  advance(seconds: number): void
  now(): number
  world(): Promise<World>
  client(key: string): Client
}

/** Settings that a test file wants other than the default; the rate limit is off unless asked for, and so is the log. */
type Options = {
  environment?: Record<string, string>
  log?: Logger
  /** Shall the server do what it does by itself, too? */
  works?: boolean
}

/** Often, because tests wait for it. */
const housekeepingMs = 100

/**
 * Gives a test file its own database and a server on it, listening for real. Call it once at the top of the file;
 * the service is there when tests run.
 */
export function service(options: Options = {}): Service {
  let offsetMs = 0
  const clock = () => Date.now() + offsetMs
  const self = {} as Service
  let close = async () => undefined as unknown
  let drop = async () => undefined as unknown

  before(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    const log = options.log ?? pino({ level: 'silent' })
    const db = openDatabase(database.connection, () => undefined)
    const notifications = openNotifications(database.connection, db)
    let work: Work | null = null
    close = async () => {
      await work?.stop()
      await notifications.close()
    }
    const config = readConfig({ BACKLINE_RATE_LIMIT_PER_SECOND: '0', ...options.environment })
    const resources = await loadResources()
    const box = secretBox(parseSecretKey(secretKey)!)
    const deps = {
      config,
      db,
      clock,
      log,
      resources,
      cursorSecret: await cursorSecret(db),
      notifications,
      journal: openJournalReader(db, notifications),
      secretBox: box,
      pendingMigrations: () => pendingMigrations(database.connection),
      onAppointment: (epochMs: number) => work?.wakeAt(epochMs),
    }
    const app = await buildApp(deps)
    await app.listen({ host: '127.0.0.1', port: 0 })
    work = options.works ? startWork(deps, housekeepingMs) : null
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const client = (key: string) => clientOf(url, key)
    Object.assign(self, {
      url,
      app,
      db,
      connection: database.connection,
      resources,
      secretBox: box,
      advance: (seconds: number) => {
        offsetMs += seconds * 1000
      },
      now: clock,
      client,
      world: () => newWorld(db, clock, client),
    })
  })
  after(async () => {
    self.app?.server.closeAllConnections() // tests leave requests half sent
    await self.app?.close()
    await close()
    await self.db?.close()
    await drop()
  })
  return self
}

async function newWorld(db: Database, clock: () => number, client: (key: string) => Client): Promise<World> {
  const workspace = await createWorkspace(db, clock, `workspace ${randomUUID()}`)
  const environments = await listEnvironments(db, workspace.id)
  const environment = (kind: 'live' | 'test') => environments.find((each) => each.kind === kind)!
  const issue = async (env: Environment, scopes: string[]) =>
    client((await issueKey(db, clock, env, { name: 'key', scopes })).secret)
  return {
    live: await issue(environment('live'), ['*']),
    test: await issue(environment('test'), ['*']),
    environments: { live: environment('live'), test: environment('test') },
    withScopes: (...scopes) => issue(environment('test'), scopes),
  }
}

/** Speaks to a server, which may be another process than the one of `service()`. */
export function clientOf(url: string, key: string): Client {
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: /\bjson\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null, // not NDJSON
    }
  }
  return {
    key,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  }
}
