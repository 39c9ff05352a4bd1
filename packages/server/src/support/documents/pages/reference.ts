import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { exampleKey } from '../openapi/components.ts'
import { immutable, sendStatic, staticText } from './static-text.ts'

/*
 * `GET /docs`: the API reference, rendered by Scalar in the browser. Its script is part of this package
 * (assets/README.md), so that the page works without a network. All URLs are relative, so that the page also works
 * below a path of a reverse proxy.
 */
const scalarVersion = '1.70.0'
const scalarFile = join(import.meta.dirname, `../../../../assets/scalar-${scalarVersion}.js.br`)
const scalarPath = `docs/scalar-${scalarVersion}.js`

/** Colours with the contrast, and buttons with the size, that WCAG 2.2 AA asks for (1.4.3, 2.5.8). */
const style = `.light-mode { --scalar-color-2: #5c5c5c; --scalar-color-3: #6b6b6b; --scalar-color-green: #00734a;
--scalar-color-blue: #0067a8; --scalar-color-orange: #b33d00; --scalar-color-red: #c00000; --scalar-color-yellow: #806000 }
.dark-mode { --scalar-color-2: #adadad; --scalar-color-3: #949494; --scalar-color-red: #ff5c5c }
.sidebar-search-placeholder { color: var(--scalar-color-3) }
button[class~="p-0.75"] { padding: 4px !important }`

const configuration = {
  customCss: style,
  url: 'v1/openapi.json',
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

/**
 * The key of the example would make the second request a replay of the first, so each request receives a new one.
 * Scalar leaves some elements without a name, or without a way by the keyboard: they receive it when they appear.
 */
const start = `const configuration = ${JSON.stringify(configuration)}
configuration.onBeforeRequest = ({ requestBuilder: { headers } }) => {
  if (headers.get('Idempotency-Key') === '${exampleKey}')
    headers.set('Idempotency-Key', crypto.randomUUID?.() ?? String(Math.random()))
}
const attributes = [
  ['button[class*=copy-button]:not([aria-label])', 'aria-label', 'Copy'],
  ['ul.endpoints:not([tabindex])', 'tabindex', '0'],
  ['.show-more[aria-label]:not([aria-label="Show More"])', 'aria-label', 'Show More'],
]
let isDue = false
new MutationObserver(() => {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    for (const [selector, name, value] of attributes)
      for (const element of document.querySelectorAll(selector)) element.setAttribute(name, value)
  })
}).observe(document.body, { childList: true, subtree: true })
Scalar.createApiReference('#app', configuration)
`

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Backline API reference</title><link rel="icon" href="data:,"></head>
<body><div id="app"></div><script src="${scalarPath}"></script><script src="docs/start.js"></script></body></html>
`

/** The browser also prevents it: no version of Scalar can send an entered key to another server. */
const contentSecurityPolicy = (publicUrl: string) =>
  [
    "default-src 'self' data: blob:",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const javascript = 'text/javascript; charset=utf-8'

export function exposeReference(app: FastifyInstance, publicUrl: string): void {
  const policy = contentSecurityPolicy(publicUrl)
  const texts = {
    '/docs': staticText('text/html; charset=utf-8', page),
    '/docs/start.js': staticText(javascript, start),
    [`/${scalarPath}`]: staticText(javascript, null, immutable, () => readFile(scalarFile)),
  }
  for (const [path, text] of Object.entries(texts))
    app.get(path, async (request, reply) =>
      sendStatic(request, reply.header('content-security-policy', policy), text),
    )
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
}
