import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { prefersHtml } from '../../platform/http/request/headers.ts'
import { describeCode, isErrorCode } from '../../platform/http/response/problems.ts'
import {
  ApiError,
  type ErrorCode,
  errorCatalogue,
  type UnavailableReason,
} from '../../platform/kernel/errors.ts'
import type { Database } from '../../platform/postgres/database.ts'
import type { Resource } from '../../platform/resource/resource.ts'
import { openapiDocument } from './openapi.ts'
import { errorCodesPage } from './pages/error-codes.ts'
import { exposeFront } from './pages/front.ts'
import { exposeGuides } from './pages/guides.ts'
import { pagePolicy } from './pages/layout.ts'
import { exposeReference } from './pages/reference.ts'
import { type StaticText, sendStatic, staticText } from './pages/static-text.ts'

const readinessMs = 1_000

type DiscoveryDeps = {
  config: { publicUrl: string }
  /** The version of the server. */
  version: string
  /** The directory of the guides. */
  guides: string
  /** Whether the page of the console is there. */
  hasConsole(): Promise<boolean>
  db: Pick<Database, 'ping'>
  log: Logger
  pendingMigrations(): Promise<string[]>
  /** Faults that do not prevent requests. */
  warnings(): string[]
}

/**
 * The OpenAPI document is part of its version: it announces the retirement and retires with it. It is made for its
 * first reader, because it would take a fifth of the start.
 */
export function exposeDocument(
  version: FastifyInstance,
  resources: Resource[],
  publicUrl: string,
  prefix: string,
): void {
  let text: StaticText | undefined
  version.get('/openapi.json', async (request, reply) => {
    text ??= staticText(
      'application/json; charset=utf-8',
      JSON.stringify(openapiDocument(resources, publicUrl, prefix)),
    )
    return sendStatic(request, reply, text)
  })
}

/** Unversioned, unauthenticated routes: front page, API reference, guides, error catalogue, health. */
export function exposeDiscovery(app: FastifyInstance, deps: DiscoveryDeps): void {
  const { publicUrl } = deps.config
  const notReady = readiness(deps)
  const faults = async () => (await notReady()).map(({ fault }) => fault)
  exposeFront(app, { ...deps, publicUrl, notReady: faults })
  exposeReference(app, publicUrl)
  exposeGuides(app, deps.guides)

  app.get('/problems', async (request, reply) => {
    reply.header('vary', 'accept')
    const codes = Object.keys(errorCatalogue) as ErrorCode[]
    if (prefersHtml(request.headers.accept)) return sendPage(reply, errorCodesPage(codes, './', publicUrl))
    const data = codes.map((code) => describeCode(code, publicUrl))
    return { object: 'list', data, has_more: false, next_cursor: null }
  })
  app.get<{ Params: { code: string } }>('/problems/:code', async (request, reply) => {
    const { code } = request.params
    if (!isErrorCode(code)) throw new ApiError('not_found')
    reply.header('vary', 'accept')
    if (prefersHtml(request.headers.accept)) return sendPage(reply, errorCodesPage([code], '../', publicUrl))
    return describeCode(code, publicUrl)
  })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    const faults = await notReady()
    const [first] = faults
    if (first) {
      const details = {
        detail: `${faults.map(({ fault }) => fault).join('; ')}.`,
        headers: { 'retry-after': '1' },
      }
      const params = {
        reason: first.reason,
        faults: faults.map(({ fault }) => fault),
        retry_after_seconds: 1,
      }
      throw new ApiError('unavailable', params, details)
    }
    return { status: 'ready', warnings: deps.warnings() }
  })
}

const sendPage = (reply: FastifyReply, html: string) =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', pagePolicy).send(html)

/** Anyone may call it at any rate: one check runs at a time, and at most one per second. */
function readiness(deps: DiscoveryDeps): () => Promise<NotReady[]> {
  let latest: Promise<NotReady[]> | null = null
  return () => {
    latest ??= whatIsNotReady(deps).finally(() => setTimeout(() => (latest = null), readinessMs).unref())
    return latest
  }
}

type NotReady = { reason: UnavailableReason; fault: string }

async function whatIsNotReady(deps: DiscoveryDeps): Promise<NotReady[]> {
  try {
    await deps.db.ping()
    return (await deps.pendingMigrations()).map((name) => ({
      reason: 'migration_missing',
      fault: `migration ${name} is not applied`,
    }))
  } catch (error) {
    deps.log.warn({ err: error }, 'readiness check failed')
    return [{ reason: 'database_unavailable', fault: 'the database does not respond' }]
  }
}
