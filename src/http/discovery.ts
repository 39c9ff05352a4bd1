import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '../app.ts'
import { ApiError, type ErrorCode, errorCatalogue } from '../lib/errors.ts'
import { prefersHtml, requireAcceptable } from './negotiation.ts'
import { openapiDocument } from './openapi.ts'
import { describeCode, isErrorCode, problemPage } from './problems.ts'

/** What needs no key: the API description and its reference page, the error codes, and how the process is. */
export async function exposeDiscovery(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { publicUrl } = deps.config
  const document = JSON.stringify(openapiDocument(deps.resources, publicUrl))
  app.get('/v1/openapi.json', async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(document),
  )

  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/v1/openapi.json',
      pageTitle: 'Backline API reference',
      // Nothing is fetched from beyond this server.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      mcp: { disabled: true },
      agent: { disabled: true },
    } as never,
  })

  app.get('/problems', async (request, reply) => {
    const codes = Object.keys(errorCatalogue) as ErrorCode[]
    if (prefersHtml(request.headers.accept))
      return reply.type('text/html; charset=utf-8').send(problemPage(codes))
    requireAcceptable(request.headers.accept, ['application/json'])
    const data = codes.map((code) => describeCode(code, publicUrl))
    return { object: 'list', data, has_more: false, next_cursor: null }
  })
  app.get<{ Params: { code: string } }>('/problems/:code', async (request, reply) => {
    const { code } = request.params
    if (!isErrorCode(code)) throw new ApiError('not_found')
    if (prefersHtml(request.headers.accept))
      return reply.type('text/html; charset=utf-8').send(problemPage([code]))
    return describeCode(code, publicUrl)
  })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const faults = await whatIsNotReady(deps)
    return reply
      .code(faults.length === 0 ? 200 : 503)
      .send({ status: faults.length === 0 ? 'ready' : 'not_ready', faults })
  })
}

async function whatIsNotReady(deps: AppDeps): Promise<string[]> {
  try {
    await deps.db.ping()
    return (await deps.pendingMigrations()).map((name) => `migration ${name} is not applied`)
  } catch (error) {
    deps.log.warn({ err: error }, 'not ready')
    return ['the database does not answer']
  }
}
