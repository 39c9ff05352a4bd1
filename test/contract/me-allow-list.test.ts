import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { type Body, say, succeeded } from '../desk.ts'
import { conversationsPath, join, type Someone, sessionOf, someone } from '../end-users.ts'
import { file } from '../files.ts'
import { service, type World } from '../harness.ts'
import { act as actOnArticle, published } from '../knowledge.ts'
import { until } from '../processes.ts'
import { allRoutes, Fixtures, titleOf } from './fixtures.ts'
import { type Request, type Sent, send } from './http.ts'

/*
 * End users see an allow-list. Unique words are planted in everything internal, each route of /v1/me is called, well and
 * badly, while streams are open, and all that comes back is searched: for the words, for internal ids, and for members
 * that are not listed here.
 */

const api = service()
const routes = allRoutes.filter(({ path }) => path === '/me' || path.startsWith('/me/'))

const author = { side: '', name: '' }
const attachment = {
  ...{ file_id: '', filename: '', content_type: '', size_bytes: '', disposition: '', status: '', url: '' },
}
const upload = { method: '', url: '', headers: { 'content-type': '' }, expires_at: '' }
const message = {
  ...{
    id: '',
    object: '',
    conversation_id: '',
    sequence: '',
    author,
    body: '',
    body_format: '',
    body_html: '',
  },
  ...{ attachments: attachment, created_at: '', edited_at: '', redacted_at: '' },
}
const article = {
  ...{ id: '', object: '', slug: '', locale: '', title: '', excerpt: '', body_html: '', collection_id: '' },
  ...{ updated_at: '', helpful_count: '' },
}
/** The allowed members by `object`. A text stands for a value without members. */
const allowed: Record<string, object> = {
  conversation: {
    ...{ id: '', object: '', subject: '', status: '', channel: '', assignee: { name: '' }, unread_count: '' },
    ...{ last_message: message, last_message_at: '', created_at: '', updated_at: '' },
  },
  message,
  end_user: {
    ...{ id: '', object: '', external_id: '', name: '', email: '', verified: '', language: '', timezone: '' },
    ...{ unread_count: '', custom_fields: '' },
  },
  file: {
    ...{ id: '', object: '', filename: '', content_type: '', size_bytes: '', sha256: '', status: '' },
    ...{ rejected_reason: '', upload, created_at: '' },
  },
  kb_article: article,
  faq: {
    ...{ id: '', object: '', locale: '', question: '', answer_html: '', updated_at: '', helpful_count: '' },
  },
}
const hit = { article, snippet: '', score: '' }
const typing = { conversation_id: '', side: '', typing: '', expires_at: '' }
const list = { object: '', data: '', has_more: '', next_cursor: '', total: '', total_is_capped: '' }
const problem = {
  ...{ type: '', title: '', status: '', code: '', detail: '', instance: '', request_id: '' },
  params: {
    ...{ type: '', prefix: '', environment: '', reason: '', setting: '', from: '', action: '', allowed: '' },
    ...{ scope: '', credential: '', presented: '', original_request_id: '' },
  },
  errors: { pointer: '', parameter: '', header: '', code: '', detail: '' },
}

function check(value: unknown, shape: unknown, where: string): void {
  if (Array.isArray(value)) for (const each of value) check(each, shape, `${where}[]`)
  else if (value !== null && typeof value === 'object')
    for (const [name, member] of Object.entries(value)) {
      assert.ok(typeof shape === 'object' && Object.hasOwn(shape!, name), `${where}.${name} is not allowed`)
      check(member, (shape as Record<string, unknown>)[name], `${where}.${name}`)
    }
}

function checkBody(body: Body, where: string): void {
  if (body === null) return
  if (body.object === 'list') for (const item of body.data) checkBody(item, `${where}.data[]`)
  check(body.object === 'list' ? { ...body, data: [] } : body, shapeOf(body, where), where)
}

function shapeOf(body: Body, where: string): object {
  if (body.object === 'list') return list
  if (body.object === undefined) return 'code' in body ? problem : 'typing' in body ? typing : hit
  assert.ok(Object.hasOwn(allowed, body.object), `${where}: object ${body.object}`)
  return allowed[body.object]!
}

/** What must not be seen. */
const secrets: string[] = []
/** A unique word, which is searched for. */
function secret(): string {
  const word = `zq${randomUUID().replaceAll('-', '')}`
  secrets.push(word)
  return word
}
/** An id that must not be seen. */
function hidden(id: string): string {
  secrets.push(id, uuidOf(id.slice(0, id.lastIndexOf('_')), id)!)
  return id
}

function checkBytes(text: string, where: string): void {
  for (const word of secrets)
    assert.ok(!text.toLowerCase().includes(word.toLowerCase()), `${where} shows ${word}: ${text}`)
}

function checkSent(sent: Sent): void {
  const { request, status, headers, text, body } = sent
  const where = `${request.method} ${request.path}: ${status}`
  checkBytes(text, where)
  checkBytes(JSON.stringify([...headers]), `the headers of ${where}`)
  checkBody(body, where)
}

let world: World
let grace: Someone
let ada: Someone
let own: Body
let foreignId: string
let noteId: string
let articleId: string
let draftId: string
let departmentId: string
let fileId: string
let noteFileId: string
const streams: { text: string; close(): void }[] = []

async function plant(): Promise<void> {
  const { test } = world
  const fixtures = new Fixtures(api, test)
  const make = async (path: string, body: object) => succeeded(await test.post(`/v1/${path}`, body))
  const { id: companyId } = await make('companies', { name: secret(), metadata: { a: secret() } })
  const person = {
    ...{ metadata: { plan: secret() }, company_ids: [hidden(companyId)], phones: ['+4930123459876'] },
    emails: [{ address: 'me@example.com' }, { address: `${secret()}@example.com` }],
  }
  secrets.push('+4930123459876')
  grace = await someone(api, world, { name: 'Grace', ...person })
  ada = await someone(api, world, { name: 'Ada', metadata: { plan: secret() } })
  hidden(ada.id)
  secrets.push(ada.externalId)
  const operatorId = await make('operators', {
    ...{ name: 'Katherine', email: `${secret()}@example.com`, metadata: { a: secret() } },
  })
  departmentId = (await make('departments', { name: secret(), description: secret() })).id
  await fixtures.create('sla', { name: secret(), conditions: {} })
  const categoryId = hidden(await fixtures.create('cat', { name: secret() }))
  hidden(departmentId)
  hidden(operatorId.id)
  await make('webhook_endpoints', { url: `https://${secret()}.example.com/`, enabled_events: ['*'] })
  const other = await make('conversations', {
    ...{ external_user_id: secret(), subject: secret(), message: { body: secret() } },
  })
  foreignId = other.id
  own = succeeded(await grace.post(conversationsPath, { subject: 'Own', message: { body: 'First' } }))
  await join(world, own.id, ada)
  succeeded(
    await test.patch(`/v1/conversations/${own.id}`, {
      ...{ metadata: { a: secret() }, external_id: secret(), priority: 'urgent' },
      ...{ department_id: departmentId, category_id: categoryId, company_id: companyId },
    }),
  )
}

/** What happens inside the desk while the streams are open. */
async function work(): Promise<void> {
  const { test } = world
  const fixtures = new Fixtures(api, test)
  const on = async (action: string, body: object) =>
    succeeded(await test.post(`/v1/conversations/${own.id}/${action}`, body))
  const { data: operators } = succeeded(await test.get('/v1/operators'))
  succeeded(await test.put(`/v1/conversations/${own.id}/tags`, { tags: [secret()] }))
  noteId = hidden(
    (
      await say(test, own.id, 'operator', {
        visibility: 'internal',
        body: secret(),
        metadata: { a: secret() },
      })
    ).id,
  )
  succeeded(await test.patch(`/v1/messages/${noteId}`, { body: secret() }))
  await on('assign', { assignee_id: operators[0].id })
  const holdId = await fixtures.create('hold', { name: secret() })
  await on('hold', { hold_reason_id: hidden(holdId), note: secret() })
  await on('resume', {})
  const { id: template } = succeeded(
    await test.post('/v1/message_templates', {
      name: secret(),
      body: 'From a template',
      body_format: 'text',
    }),
  )
  await say(test, own.id, 'operator', {
    ...{ body: undefined, template_id: hidden(template), metadata: { a: secret() }, external_id: secret() },
    operator_id: operators[0].id,
  })
  await say(test, own.id, 'system', { body: 'Automatic' })
  await say(test, own.id, 'operator', {
    ...{ body: secret(), send_at: new Date(api.now() + 3_600_000).toISOString() },
  })
  const note = { bytes: Buffer.from('A note'), filename: 'a.txt', content_type: 'text/plain' }
  fileId = (await file(api, test, note)).id
  await say(test, own.id, 'operator', { attachments: [{ file_id: fileId }] })
  noteFileId = (await file(api, test, { filename: secret() })).id
  await say(test, own.id, 'operator', { visibility: 'internal', attachments: [{ file_id: noteFileId }] })
  const laterFileId = hidden((await file(api, test, { filename: secret() })).id)
  await say(test, own.id, 'operator', {
    ...{ attachments: [{ file_id: laterFileId }], send_at: new Date(api.now() + 3_600_000).toISOString() },
  })
  for (const state of ['viewing', 'replying'])
    succeeded(
      await test.put(
        `/v1/conversations/${own.id}/presence`,
        { state },
        { 'backline-operator': hidden(operators[0].id) },
      ),
    )
  succeeded(await test.put(`/v1/conversations/${own.id}/typing`, { side: 'operator', typing: true }))
  const tags = [secret()]
  const collection = succeeded(
    await test.post('/v1/kb/collections', { name: secret(), description: secret() }),
  )
  const shown = await published(test, {
    ...{ title: 'Card declined', body: 'The *limit*', collection_id: collection.id, tags },
    ...{ metadata: { a: secret() }, author_id: operators[0].id },
  })
  articleId = shown.id
  const draft = { title: secret(), body: secret(), excerpt: secret(), slug: secret() }
  succeeded(await test.patch(`/v1/kb/articles/${articleId}`, draft))
  draftId = succeeded(await test.post('/v1/kb/articles', { title: secret(), body: secret() })).id
  const gone = await published(test, { title: secret(), body: secret() })
  succeeded(await actOnArticle(test, gone, 'unpublish'))
  const faq = { question: 'Card?', answer: 'Yes', status: 'published', tags: [secret()] }
  succeeded(await test.post('/v1/faqs', faq))
  succeeded(await test.post('/v1/faqs', { ...faq, question: secret(), status: 'draft' }))
  succeeded(await test.post('/v1/faqs', { ...faq, question: secret(), archived: true }))
  succeeded(await test.post(`/v1/end_users/${grace.id}/block`, { reason: secret() }))
  succeeded(await test.post(`/v1/end_users/${grace.id}/unblock`))
  succeeded(await test.patch('/v1/workspace', { name: secret() }))
}

async function follow(key: string): Promise<void> {
  const controller = new AbortController()
  const stream = { text: '', close: () => controller.abort() }
  streams.push(stream)
  const response = await fetch(`${api.url}/v1/me/stream`, {
    headers: { authorization: `Bearer ${key}` },
    signal: controller.signal,
  })
  checkBytes(JSON.stringify([...response.headers]), 'the headers of the stream')
  const reading = async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) stream.text += text
  }
  reading().catch(() => undefined)
  await until('it is connected', () => stream.text.includes('connected'))
}

type Call = Pick<Request, 'path'> & Partial<Pick<Request, 'body' | 'headers'>>

/** Requests to each route by its name: good ones and bad ones. */
const calls: Record<string, () => Call[]> = {
  getMe: () => [{ path: '/v1/me' }],
  updateMe: () => [
    { path: '/v1/me', body: { name: 'Grace H' }, headers: { 'if-match': '"1"' } },
    { path: '/v1/me', body: { emails: [] } },
  ],
  listMyConversations: () => [
    { path: `${conversationsPath}?include=total` },
    { path: `${conversationsPath}?limit=1` },
    { path: `${conversationsPath}?department_id=${departmentId}`.slice(0, conversationsPath.length + 15) },
  ],
  createMyConversation: () => [
    { path: conversationsPath, body: { message: { body: 'x' } } },
    { path: conversationsPath, body: { message: { body: 'x' }, department_id: departmentId } },
    { path: conversationsPath, body: { message: { body: '' }, tags: ['x'] } },
  ],
  ...Object.fromEntries(
    [
      ['getMyConversation', '', undefined],
      ['listMyMessages', '/messages?include=total', undefined],
      ['markMyConversationRead', '/read', { up_to_sequence: 1_000 }],
      ['updateMyTyping', '/typing', { typing: true }],
      ['resolveMyConversation', '/resolve', undefined],
    ].map(([name, rest, body]) => [
      name as string,
      () =>
        [own.id, foreignId].map((id) => ({
          path: `${conversationsPath}/${id}${rest}`,
          ...(body ? { body } : {}),
        })),
    ]),
  ),
  createMyFile: () => [
    { path: '/v1/me/files', body: { filename: 'a.png', content_type: 'image/png', size_bytes: 1 } },
    { path: '/v1/me/files', body: { filename: 'a.exe', content_type: 'x', size_bytes: -1, secret: '' } },
  ],
  ...Object.fromEntries(
    [
      ['completeMyFile', '/complete'],
      ['getMyFile', ''],
      ['getMyFileContent', '/content'],
    ].map(([name, rest]) => [
      name!,
      () => [fileId, noteFileId].map((id) => ({ path: `/v1/me/files/${id}${rest}` })),
    ]),
  ),
  createMyMessage: () => [
    { path: `${conversationsPath}/${own.id}/messages`, body: { body: 'More' } },
    { path: `${conversationsPath}/${own.id}/messages`, body: { body: 'x', in_reply_to_id: noteId } },
    { path: `${conversationsPath}/${foreignId}/messages`, body: { body: 'x' } },
  ],
  searchMyKbArticles: () => [{ path: '/v1/me/kb/search?q=card' }, { path: '/v1/me/kb/search' }],
  listMyKbArticles: () => [{ path: '/v1/me/kb/articles?include=total' }],
  getMyKbArticle: () => [articleId, draftId].map((id) => ({ path: `/v1/me/kb/articles/${id}` })),
  listMyFaqs: () => [{ path: '/v1/me/faqs?include=total' }, { path: '/v1/me/faqs?q=card' }],
  streamMe: () => [{ path: '/v1/me/stream' }, { path: '/v1/me/stream?cursor=x' }],
}

describe('what end users see', () => {
  before(async () => {
    world = await api.world()
    await plant()
    for (const { key } of [grace, grace, ada]) await follow(key)
    await work()
  })
  after(() => {
    for (const { close } of streams) close()
  })

  test('calls for all routes are listed here', () => {
    assert.deepEqual(Object.keys(calls).toSorted(), routes.map(({ name }) => name).toSorted())
    assert.ok(secrets.length > 50)
  })

  for (const route of routes)
    test(`is on the list, in responses and errors: ${titleOf(route)}`, async () => {
      const bound = await sessionOf(api, world, grace.id, { conversation_id: own.id })
      const statuses = new Set<number>()
      for (const call of calls[route.name]!())
        for (const key of [grace.key, bound.key, ada.key, world.test.key, 'bkl_eut_test_x', null]) {
          // The asker of the own id of a participant is that participant.
          const sent = await send(api, { method: route.method, key, ...call })
          if (key === ada.key) checkAsAda(sent)
          else checkSent(sent)
          statuses.add(sent.status)
        }
      assert.ok(
        [200, 201, 204, 403].some((status) => statuses.has(status)),
        [...statuses].join(),
      )
      assert.ok(statuses.has(401) && statuses.has(403))
    })

  test('is on the list in replays, and in the order of the errors', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const request = { method: 'POST', path: conversationsPath, key: grace.key, headers }
    for (const body of [{ message: { body: 'a' } }, { message: { body: 'a' } }, { message: { body: 'b' } }])
      checkSent(await send(api, { ...request, body }))
    succeeded(await world.test.post(`/v1/conversations/${own.id}/close`))
    const path = `${conversationsPath}/${own.id}/messages`
    checkSent(await send(api, { ...request, headers: {}, path, body: { body: 'x' } }))
    checkSent(await send(api, { ...request, headers: {}, path, body: { body: 'x', on_closed: 'follow_up' } }))
  })

  test('is on the list in every event of the streams', async () => {
    await until('the end arrives', () => streams.every(({ text }) => text.includes('"status":"closed"')))
    for (const [i, { text }] of streams.entries()) {
      if (i < 2) checkBytes(text, 'the stream')
      const types = new Set<string>()
      for (const block of text.split('\n\n').slice(1)) {
        const type = /^event: (.*)$/m.exec(block)?.[1]
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (type === undefined) assert.match(block, /^(id: .*\n)?: |^$/)
        else {
          types.add(type)
          checkBody(JSON.parse(data!), `the event ${type}`)
        }
      }
      assert.deepEqual(
        [...types].toSorted(),
        ['conversation.updated', 'message.created', 'typing'],
        `stream ${i}`,
      )
    }
  })
})

/** A participant sees its own profile, and of everything else what the others see. */
function checkAsAda(sent: Sent): void {
  const without = (text: string) => text.replaceAll(ada.id, '').replaceAll(ada.externalId, '')
  checkSent({
    ...sent,
    text: without(sent.text),
    headers: new Headers([...sent.headers].map(([name, value]) => [name, without(value)])),
  })
}
