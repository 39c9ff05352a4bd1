import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import MarkdownIt, { type Token } from 'markdown-it'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { words } from '../../../platform/kernel/words.ts'
import { htmlPage, pagePolicy } from './layout.ts'
import { type StaticText, sendStatic, staticText } from './static-text.ts'

type Guide = { name: string; title: string; summary: string; text: StaticText }

/** The guides in reading order; others follow by name. */
const readingOrder = words(`
  guide console command-line import api browser files mail filters webhooks replica sla knowledge templates operating
  scaling`)

/** Files for contributors. */
const leftOut = ['glossary.md', 'versioning.md']

const markdown = new MarkdownIt()
const { escapeHtml } = markdown.utils

/**
 * `GET /guides` and `GET /guides/{name}`: the Markdown files of a directory as pages.
 * @param directory read for the first reader
 */
export function exposeGuides(app: FastifyInstance, directory: string): void {
  let loading: Promise<Guide[]> | undefined
  const guides = () => {
    loading ??= loadGuides(directory).catch((error) => {
      loading = undefined // the next reader tries again
      throw error
    })
    return loading
  }
  const send = (request: FastifyRequest, reply: FastifyReply, text: StaticText) =>
    sendStatic(request, reply.header('content-security-policy', pagePolicy), text)

  app.get('/guides', async (request, reply) => send(request, reply, indexOf(await guides())))
  app.get('/guides/', async (_request, reply) => reply.redirect('../guides', 308))
  app.get<{ Params: { name: string } }>('/guides/:name', async (request, reply) => {
    const guide = (await guides()).find(({ name }) => name === request.params.name)
    if (!guide) throw new ApiError('not_found')
    return send(request, reply, guide.text)
  })
}

async function loadGuides(directory: string): Promise<Guide[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.md') && !leftOut.includes(file))
  const names = files.map((file) => file.slice(0, -'.md'.length))
  const guides = await Promise.all(
    names.map(async (name) => guideOf(name, names, await readFile(join(directory, `${name}.md`), 'utf8'))),
  )
  return guides.sort(
    (one, other) => placeOf(one.name) - placeOf(other.name) || (one.name < other.name ? -1 : 1),
  )
}

function placeOf(name: string): number {
  const place = readingOrder.indexOf(name)
  return place === -1 ? readingOrder.length : place
}

function guideOf(name: string, names: string[], source: string): Guide {
  const tokens = markdown.parse(source.replace(/^<!--[\s\S]*?-->\n/gm, ''), {})
  const textAfter = (type: string) =>
    tokens[tokens.findIndex((token) => token.type === type) + 1]?.content ?? ''
  const title = textAfter('heading_open')
  for (const [i, token] of tokens.entries())
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[i + 1]!.content))
  for (const token of tokens.flatMap(({ children }) => children ?? [])) pointToGuides(token, names)
  const body = markdown.renderer.render(tokens, markdown.options, {})
  return {
    name,
    title,
    summary: firstSentence(textAfter('paragraph_open')),
    text: htmlText(htmlPage(escapeHtml(title), '../', body)),
  }
}

/** The fragment of a heading, as GitHub writes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** `http billing` is a request whose response the guide calls `billing`. */
markdown.renderer.rules.fence = (tokens, i) => {
  const { info, content } = tokens[i]!
  const [, name] = /^http (\w+)$/.exec(info.trim()) ?? []
  const label = name ? `<p class="quiet">The response is called <code>${name}</code>.</p>` : ''
  return `${label}<pre><code>${escapeHtml(content)}</code></pre>\n`
}

/** Without links: the whole summary is one. */
const firstSentence = (text: string): string =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split(/(?<=\.)\s/)[0]!

/** A link to another guide leads to its page. Other files of the repository are not served. */
function pointToGuides(token: Token, names: string[]): void {
  const target = token.type === 'link_open' ? String(token.attrGet('href')) : ''
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? []
  if (name && names.includes(name)) token.attrSet('href', `${name}${fragment}`)
  else if (target && !/^(https?:|#)/.test(target)) token.attrs = []
}

function indexOf(guides: Guide[]): StaticText {
  const items = guides.map(
    ({ name, title, summary }) =>
      `<li><a href="guides/${name}"><strong>${escapeHtml(title)}</strong><span>${markdown.renderInline(summary)}</span></a></li>`,
  )
  return htmlText(htmlPage('Guides', './', `<h1>Guides</h1><ul class="cards">${items.join('\n')}</ul>`))
}

const htmlText = (html: string) => staticText('text/html; charset=utf-8', html)
