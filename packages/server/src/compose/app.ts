import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { attemptLimiter } from '../platform/http/limits/attempt-limit.ts'
import { type AdmissionControl, openAdmissionControl } from '../platform/http/limits/load-shedding.ts'
import { rateLimiter } from '../platform/http/limits/rate-limit.ts'
import { openPlaces } from '../platform/http/limits/transfer-places.ts'
import { boundUnsent } from '../platform/http/limits/unsent.ts'
import { exposeMetrics, measureRequests } from '../platform/http/observability/metrics.ts'
import { logRequests } from '../platform/http/observability/request-log.ts'
import { type Recorder, recordRequests } from '../platform/http/observability/request-records.ts'
import { announceTrace, traceRequests } from '../platform/http/observability/trace.ts'
import { acceptJsonBodies, bodyLimitBytes } from '../platform/http/request/body.ts'
import { readClientAddresses } from '../platform/http/request/client-address.ts'
import { linesOf } from '../platform/http/request/headers.ts'
import { cursorCodec } from '../platform/http/request/pagination.ts'
import { exposeUploads, type UploadLimits } from '../platform/http/request/uploads.ts'
import { refuseBrokenRequest, refuseExpectations } from '../platform/http/response/client-errors.ts'
import { allowOrigins, answerPreflights, isReadByBrowsers } from '../platform/http/response/cors.ts'
import { sendProblem } from '../platform/http/response/error-handler.ts'
import { openStreams } from '../platform/http/response/streaming.ts'
import { unknownRoutes } from '../platform/http/response/unknown-route.ts'
import { refuseRetired, versionHeaders, warnOfRetirement } from '../platform/http/response/versions.ts'
import { guardRequests } from '../platform/http/routes/admission.ts'
import { mountRoute } from '../platform/http/routes/mount.ts'
import type { MountDeps } from '../platform/http/routes/mount-deps.ts'
import { runInline } from '../platform/jobs/run-inline.ts'
import type { Environment } from '../platform/kernel/environment.ts'
import { ApiError, unavailable } from '../platform/kernel/errors.ts'
import { newUuid, typeId } from '../platform/kernel/ids.ts'
import { gauge } from '../platform/kernel/metrics.ts'
import { addressList, networkOf } from '../platform/kernel/networks.ts'
import type { Notifications } from '../platform/postgres/notifications.ts'
import type { Resource } from '../platform/resource/resource.ts'
import { type BacklineAccess, openAccess } from '../support/access/access.ts'
import { oidcSignIn } from '../support/access/console/oidc.ts'
import { mountConsole } from '../support/access/console/routes.ts'
import { exposeDiscovery, exposeDocument } from '../support/documents/discovery.ts'
import { consolePage, exposeConsole, isConsoleInstalled } from '../support/documents/pages/console.ts'
import { openUpload } from '../support/files/uploading.ts'
import { habits } from '../support/vocabulary/habits.ts'
import type { Background, BackgroundDeps } from './background.ts'
import type { Config } from './config.ts'
import { systemContext } from './contexts.ts'
import { invocation } from './invocation.ts'
import { version } from './version.ts'

export type AppDeps = BackgroundDeps & {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'trustedProxies'
    | 'rateLimit'
    | 'attemptLimits'
    | 'streamLimits'
    | 'unsentLimits'
    | 'webhookRetrySeconds'
    | 'versionDates'
    | 'metricsToken'
    | 'oidc'
    | 'role'
  >
  background: Background
  /** Encrypts and authenticates cursors; the same for all processes of a database. */
  cursorSecret: Buffer
  /** Names of pending migrations, for `/readyz`. */
  pendingMigrations(): Promise<string[]>
  /** Faults that do not prevent requests, for `/readyz`. */
  warnings(): string[]
  /** Called when a job is scheduled for a time (real time, Unix ms). */
  onJobScheduled(unixMs: number): void
  /** Notifications between processes. */
  notifications?: Notifications
  /** The versions that are served; by default `/v1` alone. */
  versions?: ApiVersion[]
  /** Other limits of uploads, for tests. */
  uploadLimits?: Partial<UploadLimits>
}

/** Resources and the path that they are served below, such as `/v1`. */
export type ApiVersion = { prefix: string; resources: Resource[] }

/** The Markdown files that `/guides` shows, in a checkout and in the npm package. */
const guides = join(import.meta.dirname, '../../../../docs')
const maxUrlLength = 8 * 1024
const maxHeaderBytes = 16 * 1024
const requestTimeoutMs = 30_000
const headersTimeoutMs = 10_000

/** A client may send the absolute form (RFC 9112 section 3.2.2); the host in it is ignored. */
const originForm = (url: string) =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/')

/** True for a path of the API with an empty last segment, which the router takes for an id. */
const endsWithSlash = (url: string) => /^\/v\d+\/(?:[^?]*\/)?(?:\?|$)/.test(url)

/** Rejects HTTP that the parser accepts and this server does not support. */
function refuseUnusual({ url, raw }: FastifyRequest): void {
  if (url.length > maxUrlLength) {
    const detail = `The URL is longer than ${maxUrlLength} bytes.`
    throw new ApiError('bad_request', { limit_bytes: maxUrlLength }, { status: 414, detail })
  }
  const hosts = linesOf(raw, 'host').length
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) {
    // RFC 9112 section 3.2.
    throw new ApiError('bad_request', {}, { detail: 'The request must have exactly one Host header.' })
  }
}

/** Builds the HTTP server without listening. It uses no environment variables and no globals. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, clock, log } = deps
  const app = fastify<Server, IncomingMessage, ServerResponse>({
    // Fastify logs each address that it listens on; main.ts logs the one that was set.
    loggerInstance: log.child({}, log.isLevelEnabled('info') ? { level: 'warn' } : {}) as never,
    childLoggerFactory: (_, bindings) => log.child(bindings) as never,
    logController: new LogController({ disableRequestLogging: true }), // http/observability/request-log.ts logs them
    genReqId: () => typeId('req', newUuid(Date.now())),
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    return503OnClosing: false, // our own response has the usual error format
    http: {
      requireHostHeader: false, // our own response to its absence has the usual error format
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    // http/request/query.ts parses queries and rejects invalid ones.
    routerOptions: { maxParamLength: maxHeaderBytes, querystringParser: () => ({}) },
    // The router rejects requests before any hook runs, so the common headers are set here as well.
    frameworkErrors: (error, request, reply) => {
      try {
        announce(request, reply)
        sendProblem(error, request, reply, config.publicUrl)
      } catch (retired) {
        sendProblem(retired, request, reply, config.publicUrl)
      }
      recordUnroutable?.(request, reply, null) // no hook runs at its end either
    },
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket as never, config.publicUrl),
  })
  let closing = false
  let recordUnroutable: Recorder['sent'] | null = null
  // A client may close its sending side after the request and still receives its response. Node's types lack this
  // property.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  const streams = openStreams(config.streamLimits)
  const unsent = boundUnsent(app, config.unsentLimits)
  app.addHook('preClose', async () => {
    closing = true
    streams.endAll()
    // A connection may become idle later, after a rejected body has been read to its end.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100).unref()
    app.server.once('close', () => clearInterval(sweep))
  })
  const versions = deps.versions ?? [{ prefix: '/v1', resources: deps.resources }]
  const hasSuccessor = versions.length > 1
  if (!hasSuccessor) {
    const endWarning = warnOfRetirement(config.versionDates, clock, (remark) => log.warn(remark))
    app.addHook('onClose', async () => endWarning())
  }
  const announceVersion = versionHeaders(config.versionDates, `${config.publicUrl}/v2`, clock)
  const refuseUnknown = unknownRoutes(app, habits)
  refuseExpectations(app.server, config.publicUrl)
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close') // keep-alive would delay the shutdown
    done()
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, config.publicUrl))
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply))
  acceptJsonBodies(app)
  readClientAddresses(app, addressList(config.trustedProxies), log)

  traceRequests(app, deps.tracer)
  app.addHook('onRequest', async (request, reply) => {
    if (isReadByBrowsers(request)) allowOrigins(reply)
    announce(request, reply)
    if (closing) throw unavailable('shutting_down')
    if (request.is404 || endsWithSlash(request.url)) refuseUnknown(request, reply) // before its body is read
    refuseUnusual(request)
  })
  logRequests(app, log)
  const workload = openAdmissionControl(log)
  measureRequests(app, deps.metrics, workload)
  const open = {
    name: 'backline_http_streams_open',
    help: 'Open streaming responses: event streams and exports.',
  }
  gauge(deps.metrics, open, () => streams.count)
  const unread = {
    name: 'backline_http_unsent_bytes',
    help: 'Response bytes that clients have not read yet.',
  }
  gauge(deps.metrics, unread, () => unsent.bytes)
  exposeMetrics(app, deps.metrics, config.metricsToken)
  exposeDiscovery(app, { ...deps, version, guides, hasConsole: isConsoleInstalled })
  if (config.role !== 'worker') {
    const mounting = mountingOf(workload)
    for (const { prefix, resources } of versions)
      await app.register(
        async (version) =>
          mountVersion(version, resources, { ...mounting, prefix }, refuseUnknown, deps.uploadLimits),
        { prefix },
      )
    const { attemptLimits, publicUrl } = config
    exposeConsole(app, { directory: consolePage, publicUrl, fileOrigin: deps.store.origin })
    const console = {
      ...mounting,
      publicUrl,
      sessions: mounting.access.console,
      contextOf: (env: Environment) => systemContext(mounting, env),
      version,
      linkCommand: `${invocation} console link`,
      webhookRetrySeconds: config.webhookRetrySeconds,
      attempts: attemptLimiter(attemptLimits.sessions, {
        policy: 'console-sign-in',
        counted: 'console_sign_ins',
        setting: 'BACKLINE_SESSIONS_PER_MINUTE',
      }),
    }
    const oidc = config.oidc && oidcSignIn(config.oidc, console, deps.cursorSecret)
    await app.register(async (scope) => mountConsole(scope, { ...console, oidc }), { prefix: '/console/api' })
  }
  return app

  /** Sets the headers of every response, including errors. @throws ApiError `version_retired` */
  function announce(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    announceTrace(request, reply)
    if (!/^\/v1(?:[/?]|$)/.test(request.url)) return
    reply.headers(announceVersion())
    if (hasSuccessor) refuseRetired(config.versionDates, clock)
  }

  /** The dependencies that the routes of all versions share. */
  function mountingOf(workload: AdmissionControl): Omit<MountDeps, 'prefix'> & { access: BacklineAccess } {
    const { publicUrl } = config
    const { services, due, regularWrites } = deps.background
    const { secretBox } = services
    const access = openAccess(
      { db: deps.db, clock, publicUrl, secretBox },
      deps.loops.open('credential_uses'),
    )
    deps.notifications?.on('clock', access.forget)
    app.addHook('preClose', async () => {
      for (const writes of regularWrites) writes.stopping()
    })
    app.addHook('onClose', async () => {
      await Promise.all(regularWrites.map((writes) => writes.close()))
    })
    const log = services.requestLog
    const recorder = log.isOn ? recordRequests(app, { recognize: access.recognize, clock, log }) : null
    recordUnroutable = recorder?.sent ?? null
    const sessions = attemptLimiter(config.attemptLimits.sessions, {
      policy: 'sessions',
      counted: 'sessions',
      setting: 'BACKLINE_SESSIONS_PER_MINUTE',
    })
    const endUserWrites = attemptLimiter(config.attemptLimits.endUserWrites, {
      policy: 'end-user-writes',
      counted: 'end_user_writes',
      setting: 'BACKLINE_END_USER_WRITES_PER_10_SECONDS',
    })
    return {
      db: deps.db,
      clock,
      access,
      rateLimiter: rateLimiter(config.rateLimit, {
        policy: 'default',
        counted: 'requests',
        setting: 'BACKLINE_RATE_LIMIT_PER_SECOND',
      }),
      attemptLimits: {
        sessions: (_, address) => sessions?.take(networkOf(address), 'network'),
        end_user_writes: ({ holderId }) => endUserWrites?.take(holderId, 'end_user'),
      },
      workload,
      unsent,
      downloads: openPlaces(),
      arrivals: openPlaces(),
      cursors: cursorCodec(deps.cursorSecret),
      publicUrl,
      streams,
      recorder,
      writes: { ...deps.writes, onScheduled: runInline(due, deps.onJobScheduled) },
      services,
      forget: () => {
        access.forget()
        deps.notifications?.tell('clock')
      },
    }
  }
}

function mountVersion(
  app: FastifyInstance,
  resources: Resource[],
  deps: MountDeps,
  refuse: (request: FastifyRequest, reply: FastifyReply) => never,
  uploadLimits?: Partial<UploadLimits>,
): void {
  guardRequests(app, deps)
  app.setNotFoundHandler((request, reply) => refuse(request, reply))
  exposeDocument(app, resources, deps.publicUrl, deps.prefix)
  exposeUploads(app, (token) => openUpload(deps, token), uploadLimits)
  const routes = resources.flatMap((resource) => resource.routes)
  for (const route of routes) mountRoute(app, route, deps)
  answerPreflights(app, routes)
}
