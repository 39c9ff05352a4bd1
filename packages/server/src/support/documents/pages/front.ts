import type { FastifyInstance } from 'fastify'
import { prefersHtml } from '../../../platform/http/request/headers.ts'
import { consoleMissing } from './console.ts'
import { htmlPage, pagePolicy } from './layout.ts'

/** The server, as `GET /` shows it. */
export type Front = {
  object: 'service'
  name: string
  version: string
  status: 'ready' | 'not_ready'
  links: {
    /** Null if the console is not installed. */
    console: string | null
    reference: string
    guides: string
    openapi: string
    problems: string
    readiness: string
  }
}

type FrontDeps = {
  publicUrl: string
  version: string
  /** The reasons why the server is not ready. */
  notReady(): Promise<string[]>
  hasConsole(): Promise<boolean>
}

/** `GET /`: the server's name, version and health, with links to everything that a newcomer needs. */
export function exposeFront(
  app: FastifyInstance,
  { publicUrl, version, notReady, hasConsole }: FrontDeps,
): void {
  const others = {
    reference: `${publicUrl}/docs`,
    guides: `${publicUrl}/guides`,
    openapi: `${publicUrl}/v1/openapi.json`,
    problems: `${publicUrl}/problems`,
    readiness: `${publicUrl}/readyz`,
  }
  app.get('/', async (request, reply) => {
    const [faults, isInstalled] = await Promise.all([notReady(), hasConsole()])
    const status = faults.length === 0 ? 'ready' : 'not_ready'
    const links = { console: isInstalled ? `${publicUrl}/console` : null, ...others }
    reply.headers({ vary: 'accept', 'cache-control': 'no-store' })
    const front: Front = { object: 'service', name: 'Backline', version, status, links }
    if (!prefersHtml(request.headers.accept)) return front
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy)
      .send(frontPage(front, publicUrl))
  })
}

const consoleCard = ['console', 'Console', 'For operators and engineers, in the browser']
const cards = [
  ['docs', 'API reference', 'Every operation, with examples to try'],
  ['guides/guide', 'First steps', 'A support day as a sequence of requests'],
  ['guides', 'Guides', 'Webhooks, SLA clocks, knowledge base, operations'],
  ['problems', 'Error codes', 'Their meaning and their cure'],
  ['v1/openapi.json', 'OpenAPI document', 'For generators of clients'],
  ['readyz', 'Readiness', 'For load balancers and orchestrators'],
]

const frontPage = ({ version, status, links }: Front, publicUrl: string): string =>
  htmlPage(
    'Customer support by API',
    './',
    `<h1>Backline <small>${version}</small></h1>
<p>A customer-support backend with a JSON REST API. This server is ${
      status === 'ready' ? '<span class="good">ready</span>' : '<span class="bad">not ready</span>'
    }.</p>
${links.console ? '' : `<p>${consoleMissing}</p>\n`}<ul class="cards">${[
      ...(links.console ? [consoleCard] : []),
      ...cards,
    ]
      .map(
        ([href, title, text]) =>
          `<li><a href="${href}"><strong>${title}</strong><span>${text}</span></a></li>`,
      )
      .join('\n')}</ul>
<h2>Create a conversation</h2>
<pre><code>curl -sS ${publicUrl}/v1/conversations \\
  -H 'Authorization: Bearer bkl_test_…' \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H 'Content-Type: application/json' \\
  -d '{"external_user_id": "user_42", "subject": "Card declined"}'</code></pre>
<p class="quiet">The first start of the server created two API keys, <code>live</code> and <code>test</code>.
<code>backline keys create --help</code> tells how to create more.</p>`,
  )
