import { write } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { htmlOf as htmlOfAnswer } from '../faqs/actions.ts'
import { htmlOf as htmlOfArticle } from '../kb/articles/actions.ts'
import { articleExample } from '../kb/articles/schema.ts'
import { PreviewRequest, previewWire } from './schema.ts'

function render(change: Change, { type, body }: PreviewRequest): Promise<string> {
  return type === 'faq' ? htmlOfAnswer(change, body, '/body') : htmlOfArticle(change, body)
}

export const previewRoutes = [
  write({
    method: 'POST',
    path: '/kb/preview',
    name: 'previewKbText',
    summary: 'Preview a text',
    description:
      'Renders the text of an article or FAQ as saving it would, and fails if it is too long or takes too long to render. Whether files that it shows exist is not checked. Changes nothing.',
    scope: 'kb:read',
    documentedUnder: 'kb',
    body: PreviewRequest,
    bodyExample: { body: articleExample.body },
    reply: previewWire,
    versionOf: null,
    async handle(change, { body }) {
      const body_html = await render(change, body)
      change.discard({ storesBody: false })
      return { body_html }
    },
  }),
]
