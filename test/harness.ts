import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiVersion, buildApp } from '@backline/server/compose/app.ts'
import { openBackground } from '@backline/server/compose/background.ts'
import { cursorSecret, issueKey } from '@backline/server/compose/bootstrap.ts'
import { readConfig } from '@backline/server/compose/config.ts'
import { openServerDatabase } from '@backline/server/compose/database.ts'
import { openFileStore } from '@backline/server/compose/files.ts'
import { type Optimizations, optimized, plain } from '@backline/server/compose/optimizations.ts'
import { loadResources } from '@backline/server/compose/resources.ts'
import { markedStore } from '@backline/server/compose/store-marker.ts'
import { startWork, type Work } from '@backline/server/compose/work.ts'
import { openWrites } from '@backline/server/compose/writes.ts'
import type { FileStore } from '@backline/server/platform/files/store.ts'
import type { UploadLimits } from '@backline/server/platform/http/request/uploads.ts'
import { openLoops } from '@backline/server/platform/jobs/loops.ts'
import { openCommits } from '@backline/server/platform/journal/commits.ts'
import { openEphemeral } from '@backline/server/platform/journal/ephemeral.ts'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { parseSecretKey, type SecretBox, secretBox } from '@backline/server/platform/kernel/secret-box.ts'
import { openThreads, type Threads } from '@backline/server/platform/kernel/threads.ts'
import type { Connection, Database } from '@backline/server/platform/postgres/database.ts'
import { pendingMigrations } from '@backline/server/platform/postgres/migrate.ts'
import { openNotifications } from '@backline/server/platform/postgres/notifications.ts'
import { onWorkers } from '@backline/server/platform/postgres/workers.ts'
import type { Resource, ResourceLimits } from '@backline/server/platform/resource/resource.ts'
import type { Ctx } from '@backline/server/platform/unit-of-work/context.ts'
import { createWorkspace } from '@backline/server/support/admin/workspace/actions.ts'
import { listEnvironments } from '@backline/server/support/admin/workspace/queries.ts'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { Registry } from 'prom-client'
import { cloneDatabase, secretKey } from './databases.ts'
import { type Answer, exchange } from './exchange.ts'
import { asOneShard } from './one-shard.ts'

export type { Answer } from './exchange.ts'

/** An HTTP client with one API key. Every POST gets a fresh Idempotency-Key unless `headers` names one. */
export type Client = {
  key: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, headers?: Record<string, string>): Promise<Answer>
}

/** A new workspace, so that tests of one file do not see each other's data. */
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
  threads: Threads
  store: FileStore
  /** The directory of the bytes of files. */
  filesDir: string
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
  /** Moves the clock of the server and all environments. */
  advance(seconds: number): void
  now(): number
  world(): Promise<World>
  client(key: string): Client
  /** Starts another server on the same database, as another process would; it stops with this one. */
  another(options?: Options): Promise<Another>
}

export type Another = Pick<Service, 'url' | 'client'> & { stop(): Promise<void> }

/** Options of a test file. The limits of rates and the log are off by default. */
type Options = {
  environment?: Record<string, string>
  log?: Logger
  /** True to run background work as well. */
  works?: boolean
  /** The warnings of `/readyz`. */
  warnings?: string[]
  /** Time limit of a test clock advance. */
  advanceWithinMs?: number
  /** Time limit of a verification of the audit log. */
  limits?: ResourceLimits
  /** True to send statements to the tables of a shard, as in a cluster. `BACKLINE_TEST_ONE_SHARD=1` is the default. */
  onOneShard?: boolean
  /** Limits of uploads that are smaller than the usual ones. */
  uploadLimits?: Partial<UploadLimits>
  /** The versions to serve, derived from the resources of `/v1`. */
  versions?(resources: Resource[]): ApiVersion[]
}

/** Short, because tests wait for it. */
const housekeepingMs = 100

type Server = {
  service: Service
  /** True if another file may use it: its clock is right, and no other server uses its database. */
  isShareable: boolean
  stop(): Promise<void>
}

/** The process ends even if a test that was given up holds it. */
after(() => {
  setTimeout(() => process.exit(1), 60_000).unref()
})

/** The server that the files of this process share, after one has started it; undefined if files share none. */
let shared: Promise<Server> | null | undefined

/**
 * Lets all files of this process that want a server without options share one, with its database; `world()` separates
 * their data. A new one starts after a file that moved the clock or started another server beside it.
 */
export function shareServers(): void {
  shared = null
  after(async () => (await shared)?.stop())
}

/**
 * Provides a test file with a listening server and a database. Call it once at the top of the file; the service is
 * available when tests run. With options, including `{}`, the file does not share them.
 */
export function service(options?: Options): Service {
  const self = {} as Service
  let server: Server | undefined
  before(async () => {
    const isOwn = options !== undefined || shared === undefined
    const starting: Promise<Server> = (isOwn ? null : shared) ?? start(options)
    if (!isOwn) shared = starting
    server = await starting
    Object.assign(self, server.service)
  })
  after(async () => {
    const isShared = server !== undefined && server === (await shared)
    if (isShared && server?.isShareable) return
    if (isShared) shared = null
    await server?.stop()
  })
  return self
}

/** The directory of files: all servers of a database share it. */
const filesOf = (connection: Connection): string =>
  join(
    tmpdir(),
    `backline-files-${createHash('sha256').update(JSON.stringify(connection)).digest('hex').slice(0, 16)}`,
  )

async function start(options?: Options): Promise<Server> {
  let offsetMs = 0
  const clock = () => Date.now() + offsetMs
  const { connection: cloned, drop } = await cloneDatabase()
  const { onOneShard = process.env.BACKLINE_TEST_ONE_SHARD === '1' } = options ?? {}
  const connection = onOneShard ? await asOneShard(cloned) : cloned
  const others: Another[] = []
  const { stop, ...own } = await open(connection, clock, options)
  const server: Server = {
    service: {
      ...own,
      connection,
      now: clock,
      advance(seconds) {
        server.isShareable = false
        offsetMs += seconds * 1000
      },
      world: () => newWorld(own.db, clock, own.client),
      async another(options) {
        server.isShareable = false
        const other = await open(connection, clock, options)
        others.push(other)
        return other
      },
    },
    isShareable: true,
    async stop() {
      for (const each of [...others, { stop }]) await each.stop()
      await rm(filesOf(connection), { recursive: true, force: true })
      await drop()
    },
  }
  return server
}

/**
 * `BACKLINE_TEST_WITHOUT` names the optimization that is replaced by its plain form
 * (test/optimizations.system.test.ts).
 */
function chosenOptimizations(): Optimizations {
  const name = process.env.BACKLINE_TEST_WITHOUT as keyof Optimizations | undefined
  return name === undefined ? optimized : { ...optimized, [name]: plain[name] }
}

/** Opens all parts of a server process. */
async function open(connection: Connection, clock: () => number, options: Options = {}) {
  const log = options.log ?? pino({ level: 'silent' })
  const optimizations = chosenOptimizations()
  const openOne = (server: Connection) => openServerDatabase(server, () => undefined, optimizations)
  const db = await onWorkers(openOne(connection), connection, openOne, optimizations.statements)
  const notifications = openNotifications(connection, db)
  const threads = openThreads({ patienceMs: 60_000 }) // a busy machine runs them late
  const config = readConfig({
    BACKLINE_RATE_LIMIT_PER_SECOND: '0',
    BACKLINE_SESSIONS_PER_MINUTE: '0',
    BACKLINE_END_USER_WRITES_PER_10_SECONDS: '0',
    BACKLINE_FILES_DIR: filesOf(connection),
    ...options.environment,
  })
  const store = markedStore(await openFileStore(config.files), config.files.store, db)
  let work: Work | null = null
  const resources = await loadResources(options.limits)
  const metrics = new Registry()
  const loops = openLoops({ clock, log, metrics })
  const commits = openCommits(notifications, metrics)
  const key = parseSecretKey(secretKey)!
  const deps = {
    config,
    db,
    clock,
    log,
    metrics,
    loops,
    tracer: null,
    resources,
    writes: openWrites(db, resources, commits.report, optimizations, metrics),
    cursorSecret: await cursorSecret(db),
    notifications,
    commits,
    ephemeral: openEphemeral(notifications),
    secretBox: secretBox({ current: key, keys: [key] }),
    store,
    threads,
    pendingMigrations: () => pendingMigrations(connection),
    warnings: () => options.warnings ?? loops.warnings(),
    onJobScheduled: (unixMs: number) => work?.wakeAt(unixMs),
    onMail: () => work?.mailArrived(),
    onMailOut: () => work?.mailQueued(),
    ...(options.versions ? { versions: options.versions(resources) } : {}),
    ...(options.uploadLimits ? { uploadLimits: options.uploadLimits } : {}),
    ...(options.advanceWithinMs === undefined ? {} : { advanceWithinMs: options.advanceWithinMs }),
  }
  const background = openBackground(deps)
  const app = await buildApp({ ...deps, background })
  await app.listen({ host: '127.0.0.1', port: 0 })
  work = options.works ? startWork({ ...deps, background }, housekeepingMs) : null
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  let stopping: Promise<void> | undefined
  return {
    url,
    app,
    db,
    resources: deps.resources,
    secretBox: deps.secretBox,
    threads,
    store,
    filesDir: filesOf(connection),
    context: background.due.context,
    client: (key: string) => clientOf(url, key),
    /** Further calls return the same promise. */
    stop(): Promise<void> {
      stopping ??= stopAll()
      return stopping
    },
  }

  async function stopAll() {
    app.server.closeAllConnections() // tests leave incomplete requests
    await Promise.all([app.close(), background.runner.stop()])
    await work?.stop()
    background.services.mail.close()
    await notifications.close()
    await threads.close()
    await store.close()
    await db.close()
  }
}

/** Creates a workspace with keys of its environments. */
export async function newWorld(
  db: Database,
  clock: () => number,
  client: (key: string) => Client,
): Promise<World> {
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

const maxAttempts = 3
const retryMs = 200

/** Creates a client of a server, which may be another process than that of `service()`. */
export function clientOf(url: string, key: string): Client {
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(url + path)
    return exchange(
      url,
      {
        method,
        path: pathname + search,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    )
  }
  /** Repeats a request that a busy server refuses, as the SDK does, unless the test gives a key of its own. */
  const post: Client['post'] = async (path, body, headers) => {
    const withKey = { 'idempotency-key': randomUUID(), ...headers }
    const attempts = headers && 'idempotency-key' in headers ? 1 : maxAttempts
    for (let attempt = 1; ; attempt++) {
      const answer = await send('POST', path, body, withKey)
      if (answer.status !== 503 || attempt >= attempts) return answer
      await sleep(retryMs)
    }
  }
  return {
    key,
    get: (path, headers) => send('GET', path, undefined, headers),
    post,
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  }
}
