import fastify, { type FastifyInstance } from 'fastify'

/*
 * `GET /docs`: Scalar's API reference, served from its npm package, so that it works without a network. Its URLs are
 * relative, so that it also works below a path of a reverse proxy.
 */
const configuration = {
  url: 'v1/openapi.json',
  cdn: 'docs/scalar.js',
  pageTitle: 'Backline API reference',
  favicon: 'data:,',
  authentication: { preferredSecurityScheme: 'apiKey' },
  orderRequiredPropertiesFirst: true,
  orderSchemaPropertiesBy: 'preserve',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Disables everything that would contact another server.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** The browser also prevents it: no version of Scalar can send an entered key to another server. */
const contentSecurityPolicy = (publicUrl: string) =>
  [
    "default-src 'self' data: blob:",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

type Page = { html: string; script: string }

/** Scalar's module takes 160 ms and 38 MB, so it is loaded for the first reader. */
async function loadPage(): Promise<Page> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const inner = fastify()
  await inner.register(scalar, { routePrefix: '/docs', configuration: configuration as never })
  const [html, script] = await Promise.all([inner.inject('/docs/'), inner.inject('/docs/js/scalar.js')])
  return { html: html.body, script: script.body }
}

export function exposeDocs(app: FastifyInstance, publicUrl: string): void {
  let page: Promise<Page> | undefined
  const policy = contentSecurityPolicy(publicUrl)
  app.get('/docs', async (_request, reply) => {
    page ??= loadPage()
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send((await page).html)
  })
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
  app.get('/docs/scalar.js', async (_request, reply) => {
    page ??= loadPage()
    return reply.type('text/javascript; charset=utf-8').send((await page).script)
  })
}
