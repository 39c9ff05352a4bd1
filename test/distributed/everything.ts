import assert from 'node:assert/strict'
import {
  addMissingHeads,
  endOfJournal,
  keepBeyond,
  noteHeads,
} from '@backline/server/platform/journal/heads.ts'
import { lagOfAll } from '@backline/server/platform/journal/lag.ts'
import { beginning } from '@backline/server/platform/journal/positions.ts'
import {
  consumedUpTo,
  moveFloor,
  nextEvents,
  thinEvents,
} from '@backline/server/platform/journal/retention.ts'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { firstUuid, newUuid, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { probeWorkers } from '@backline/server/platform/postgres/cluster-probe.ts'
import type { Db } from '@backline/server/platform/postgres/database.ts'
import {
  deleteInstallationSecret,
  replaceInstallationSecrets,
  replaceSealed,
  sealedRows,
} from '@backline/server/platform/postgres/secrets.ts'
import { findDatabaseFacts, readClock } from '@backline/server/platform/postgres/server-facts.ts'
import { type Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import { backOff, scheduleUnlessDue } from '@backline/server/platform/unit-of-work/due.ts'
import { keepBodies, sweepKeys, takenKeys } from '@backline/server/platform/unit-of-work/idempotency-keys.ts'
import { compilePlans, type Part, type WritePlan } from '@backline/server/platform/unit-of-work/plan.ts'
import { findEnvironmentOfKey } from '@backline/server/support/admin/api-keys/queries.ts'
import {
  allEnvironments,
  findWorkspaceByName,
  listWorkspaces,
  workspaceTable,
} from '@backline/server/support/admin/workspace/queries.ts'
import { deleteUses, tagTable } from '@backline/server/support/catalogue/tags/queries.ts'
import { conversationList } from '@backline/server/support/desk/conversations/finding/request.ts'
import type { SearchLimits } from '@backline/server/support/desk/conversations/finding/words.ts'
import { linkSome } from '@backline/server/support/desk/conversations/linking/link.ts'
import { environmentsWithUnlinked } from '@backline/server/support/desk/conversations/linking/queries.ts'
import { messagesWith } from '@backline/server/support/files/queries.ts'
import {
  claimTasks,
  environmentsWithTasks,
  finishTask,
  insertScans,
  postponeTask,
} from '@backline/server/support/files/tasks/queries.ts'
import {
  countIds,
  findBlockNumber,
  findBlocks,
} from '@backline/server/support/integration/audit-log/queries.ts'
import { sealing } from '@backline/server/support/integration/audit-log/sealing.ts'
import { sweepDeliveries } from '@backline/server/support/integration/webhook-endpoints/deliveries/queries.ts'
import { moveRecovery } from '@backline/server/support/integration/webhook-endpoints/recovery/queries.ts'
import { fanOutLag } from '@backline/server/support/integration/webhook-endpoints/sending/queries.ts'
import { findInFamily, findTranslation } from '@backline/server/support/knowledge/kb/articles/queries.ts'
import { findNamesake } from '@backline/server/support/knowledge/kb/collections/queries.ts'
import { touchSessions } from '@backline/server/support/people/sessions/queries.ts'
import { moveTask } from '@backline/server/support/properties/custom-fields/indexing/queries.ts'
import { findOtherAdmin } from '@backline/server/support/team/operators/queries.ts'
import { Fixtures, listRoutes, parametersOf, routes, writeRoutes } from '../contract/fixtures.ts'
import { send } from '../contract/http.ts'
import { idPrefixOf, sample } from '../contract/schemas.ts'
import { act, type Body, conversation, department, operator, say, setStatus, succeeded } from '../desk.ts'
import { file } from '../files.ts'
import type { Client, Service, World } from '../harness.ts'
import { bySecret, signedJwt } from '../jwts.ts'
import { made } from '../macro-fixtures.ts'
import { until } from '../processes.ts'
import { useTheConsole } from './console.ts'
import { eraseAll } from './erasing.ts'
import { filterLists } from './filters.ts'
import { workOnJobs } from './jobs.ts'
import { receiveMails } from './mails.ts'
import { notifyOperators } from './notifying.ts'
import { readMessages } from './reading.ts'
import { keepTheRequestLog } from './request-log.ts'
import { searchAsReaders } from './searches.ts'

/*
 * Causes the service to send every statement that it has. Calls by HTTP come from the declarations of the routes, as in
 * the suites. Statements that need a certain state are reached below. Those that only follow from a race, a failure or
 * weeks of time are called directly, as the service would.
 */

/** Calls each route once, and each create a second time with the same body, which looks up the owner of the name. */
async function callEveryRoute(api: Service, client: Client): Promise<void> {
  const fixtures = new Fixtures(api, client)
  for (const route of routes) {
    if (route.kind === 'stream' || route.kind === 'live') continue
    const call = await fixtures.call(route)
    await fixtures.run(call)
    if (writeRoutes.includes(route) && route.method === 'POST') await send(api, call.request)
  }
}

/**
 * Reads each list in each order, in two pages, with a total, and with each filter; for an operator where the list or
 * filter is of one.
 */
async function readEveryList(api: Service, client: Client): Promise<void> {
  const fixtures = new Fixtures(api, client)
  for (const route of listRoutes) {
    const { path, add } = await fixtures.list(route)
    for (let i = 0; add && i < 2; i++) await add()
    const get = async (query: Record<string, string>) => {
      const whole = `${path}?${new URLSearchParams(query)}`
      const answer = await client.get(whole)
      const acts = answer.text.includes('Backline-Operator')
      return succeeded(
        acts ? await client.get(whole, { 'backline-operator': await fixtures.operator() }) : answer,
      )
    }
    for (const sort of [undefined, ...(route.fixedSort ? [] : (route.sorts ?? []))]) {
      const order = sort === undefined ? {} : { sort }
      const { next_cursor: cursor } = await get({ ...order, limit: '1', include: 'total' })
      if (cursor) await get({ ...order, limit: '1', cursor })
    }
    for (const [name, schema] of parametersOf(route)) {
      if (['cursor', 'limit', 'sort'].includes(name)) continue
      const prefix = idPrefixOf(schema)
      const values = schema.enum ?? [prefix ? await fixtures.create(prefix) : sample(schema)]
      for (const value of values) await get({ [name]: String(value), include: 'total' })
    }
  }
}

/** Assigns, answers, merges and transfers conversations, adds an SLA later, and repeats external ids. */
async function workAtTheDesk(client: Client): Promise<void> {
  const [one, other] = [
    await operator(client, { external_id: 'crm_1' }),
    await operator(client, { capacity: 5 }),
  ]
  await client.post('/v1/operators', { name: 'Again', email: 'again@example.com', external_id: 'crm_1' })
  for (const strategy of ['round_robin', 'least_busy']) {
    const assignment = { strategy, max_open_per_operator: strategy === 'least_busy' ? null : 3 }
    const department_id = await department(client, [one, other], { assignment })
    const subject = { department_id, subject: 'Card declined', tags: ['urgent'], external_id: strategy }
    const { id } = await conversation(client, subject)
    await client.post('/v1/conversations', { external_user_id: 'user_42', ...subject })
    await say(client, id, 'end_user', { body: 'It was declined again', external_id: `${strategy} message` })
    await client.post(`/v1/conversations/${id}/messages`, {
      author_side: 'end_user',
      body: 'Twice',
      external_id: `${strategy} message`,
    })
    await say(client, id, 'operator', { operator_id: one })
    await act(client, id, 'read', { side: 'end_user', up_to_sequence: 1 })
    await made(client, 'sla_configs', {
      name: `Late ${strategy}`,
      position: 1,
      conditions: { department_ids: [department_id] },
      targets: [
        { priority: null, first_response_seconds: 60, next_response_seconds: 60, resolution_seconds: 3600 },
      ],
    })
    succeeded(await client.patch(`/v1/conversations/${id}`, { priority: 'high' }))
    succeeded(await client.get(`/v1/conversations/${id}/sla`))
    const { id: twin } = await conversation(client, { department_id })
    await act(client, twin, 'merge', { into_id: id })
    succeeded(await client.get(`/v1/conversations/${id}/messages?include=merged`))
    await act(client, id, 'resolve')
    succeeded(await client.get(`/v1/conversations?department_id=${department_id}&assignee_id=${one}`))
    const claimer = { 'backline-operator': one }
    succeeded(await client.post('/v1/conversations/claim_next', { department_id }, claimer))
  }
  succeeded(await client.get('/v1/conversations?q=declined&status=resolved'))
  for (const due of ['tag=urgent', 'q=declined', 'status=resolved']) {
    const path = `/v1/conversations?sort=sla_due_at&limit=1&${due}`
    const { next_cursor } = succeeded(await client.get(path))
    if (next_cursor) succeeded(await client.get(`${path}&cursor=${next_cursor}`))
  }
  succeeded(await client.get('/v1/conversations?tag=urgent'))
  const pressing = await made(client, 'tags', { name: 'pressing' })
  const { id: urgent } = succeeded(await client.get('/v1/tags')).data.find(
    ({ name }: Body) => name === 'urgent',
  )
  succeeded(await client.post(`/v1/tags/${pressing.id}/merge`, { into_id: urgent }))
  succeeded(await client.get('/v1/conversations?tag=urgent'))
  await setStatus(client, other, 'away')
  await setStatus(client, other, 'online')
}

/** Lists, counts and claims by views of conversations and end users, in each order. */
async function workWithViews(client: Client): Promise<void> {
  const [me] = [await operator(client)]
  const department_id = await department(client, [me], { assignment: { strategy: 'manual' } })
  const filter = {
    all: [
      { field: 'message_count', op: 'gte', value: 0 },
      {
        any: [
          { field: 'tags', op: 'contains', value: 'seen' },
          { field: 'priority', op: 'is', value: 'high' },
        ],
      },
    ],
  }
  const people = {
    any: [
      { field: 'email', op: 'exists', value: false },
      { field: 'status', op: 'is', value: 'active' },
    ],
  }
  const ids: string[] = []
  for (const sort of ['-created_at', 'created_at', '-updated_at', '-last_message_at', 'sla_due_at'])
    ids.push((await made(client, 'views', { name: `By ${sort}`, filter, sort })).id)
  for (const sort of ['-created_at', 'created_at', '-last_seen_at', 'name'])
    ids.push(
      (
        await made(client, 'views', {
          name: `People by ${sort}`,
          applies_to: 'end_user',
          filter: people,
          sort,
        })
      ).id,
    )
  for (let i = 0; i < 3; i++) {
    await conversation(client, { priority: 'high', department_id, external_user_id: `viewed ${i}` })
    await made(client, 'end_users', { name: `Viewed ${i}` })
  }
  for (const id of ids) {
    const path = `/v1/views/${id}/items?limit=1&include=total`
    const { next_cursor } = succeeded(await client.get(path))
    succeeded(await client.get(`${path}&cursor=${next_cursor}`))
  }
  succeeded(await client.get(`/v1/views/counts?ids=${ids.join()}`))
  const late = { field: 'sla.breached_at', op: 'gte', value: new Date().toISOString() }
  const counted = encodeURIComponent(JSON.stringify({ late }))
  for (const by of ['assignee_id', 'department_id'])
    succeeded(await client.get(`/v1/views/counts?ids=${ids.join()}&filters=${counted}&group_by=${by}`))
  succeeded(await client.get(`/v1/views?operator_id=${me}&include=total`))
  const visibility = { department_ids: [department_id] }
  const own = (await made(client, 'views', { name: 'Of a department', filter, visibility })).id
  await client.get(`/v1/views/${own}`, { 'backline-operator': me }) // 200 or 404
  const claimer = { 'backline-operator': me }
  for (const body of [{ view_id: ids[0] }, { view_id: ids[0], department_id }])
    succeeded(await client.post('/v1/conversations/claim_next', body, claimer))
  for (const claim_order of ['due', 'priority']) {
    succeeded(await client.patch('/v1/workspace', { claim_order, reply_assigns: true }))
    succeeded(await client.patch(`/v1/departments/${department_id}`, { claim_order, reply_assigns: true }))
    for (const body of [{}, { department_id }])
      succeeded(await client.post('/v1/conversations/claim_next', body, claimer))
  }
}

/** Schedules messages that are listed, edited, redacted, dropped, moved by a merge, and sent. */
async function writeForLater(client: Client): Promise<void> {
  const { now } = succeeded(await client.get('/v1/test_clock'))
  const send_at = new Date(Date.parse(now) + 60_000).toISOString()
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await conversation(client)).id)
  const messages: string[] = []
  for (const [i, id] of ids.entries()) {
    for (const external_id of [`later ${i}`, null])
      messages.push((await say(client, id, 'operator', { send_at, external_id })).id)
    const path = `/v1/conversations/${id}/messages?scheduled=true&include=total&limit=1`
    for (const sort of ['sequence', '-sequence']) {
      const { next_cursor } = succeeded(await client.get(`${path}&sort=${sort}`))
      succeeded(await client.get(`${path}&sort=${sort}&cursor=${next_cursor}`))
    }
  }
  succeeded(await client.patch(`/v1/messages/${messages[0]}`, { body: 'Later' }))
  succeeded(await client.post(`/v1/messages/${messages[1]}/redact`))
  await act(client, ids[2]!, 'close')
  succeeded(await client.get(`/v1/events?resource_id=${messages[5]}`))
  await act(client, ids[0]!, 'merge', { into_id: ids[1] })
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 60 }))
  const merged = `/v1/conversations/${ids[1]}/messages?include=merged&limit=1`
  for (const sort of ['sequence', '-sequence']) {
    const { next_cursor } = succeeded(await client.get(`${merged}&sort=${sort}`))
    succeeded(await client.get(`${merged}&sort=${sort}&cursor=${next_cursor}`))
  }
  await say(client, ids[2]!, 'operator', { on_closed: 'follow_up' })
}

/** Repeats external ids and domains of companies, moves domains, and votes by both ids of an end user. */
async function workWithCompanies(client: Client): Promise<void> {
  const path = '/v1/companies/external/crm%201'
  const { id } = succeeded(await client.put(path, { name: 'Acme', domains: ['one.example', 'two.example'] }))
  succeeded(await client.put(path, { domains: ['two.example', 'three.example', 'four.example'] }))
  await client.post('/v1/companies', { name: 'Twin', external_id: 'crm 1' })
  await client.post('/v1/companies', { name: 'Twin', domains: ['two.example'] })
  for (const query of ['domain=two.example', 'q=acme+four', 'external_id=crm%201'])
    assert.equal(succeeded(await client.get(`/v1/companies?include=total&${query}`)).total, 1)
  const endUser = await made(client, 'end_users', { company_ids: [id] })
  await made(client, 'sla_configs', {
    name: 'For Acme',
    conditions: { company_ids: [id] },
    targets: [{ resolution_seconds: 3600 }],
  })
  const { id: faqId } = await made(client, 'faqs', { question: 'Why?', answer: 'Because' })
  const vote = async (helpful: boolean, person: object) =>
    succeeded(await client.post(`/v1/faqs/${faqId}/feedback`, { helpful, ...person }))
  await vote(true, { end_user_id: endUser.id })
  succeeded(await client.patch(`/v1/end_users/${endUser.id}`, { external_id: 'voter', company_ids: [] }))
  await vote(false, { external_user_id: 'voter' })
  assert.equal((await client.delete(`/v1/companies/${id}`)).status, 204)
}

async function workWithEndUsers(client: Client): Promise<void> {
  const emails = [{ address: 'one@example.com', verified: true }]
  const known = await made(client, 'end_users', { external_id: 'known', name: 'Ada', emails })
  const other = await made(client, 'end_users', {
    external_id: 'other',
    emails: [{ address: 'two@example.com' }],
  })
  await client.post('/v1/end_users', { emails })
  for (const user of ['known', 'other']) await made(client, 'conversations', { external_user_id: user })
  const merge = { into_id: known.id, keep_alias: true }
  succeeded(await client.post(`/v1/end_users/${other.id}/merge`, merge))
  const queries = ['status=blocked', 'status=merged', 'status=erased', 'status=active', 'phone=%2B4930123456']
  for (const query of [
    ...queries,
    'q=ada',
    'email=one@example.com',
    'external_id=other',
    'sort=name',
    'sort=-last_seen_at',
  ])
    succeeded(await client.get(`/v1/end_users?include=total&limit=1&${query}`))
  for (const query of [
    'external_user_id=other',
    `end_user_id=${known.id}`,
    'q=ada',
    'include=end_user,assignee,company',
  ])
    succeeded(await client.get(`/v1/conversations?${query}`))
  const { data } = succeeded(await client.get('/v1/conversations?external_user_id=known&limit=1'))
  const guest = await made(client, 'end_users', { phones: ['+4930123456'] })
  const part = `/v1/conversations/${data[0].id}/participants/${guest.id}`
  succeeded(await client.put(part))
  succeeded(await client.delete(part))
}

/** Calls the routes of end users, as the end user of a conversation, in a bound session, and over streams. */
async function actAsEndUser(api: Service, client: Client): Promise<void> {
  const session = async (body: object) =>
    api.client(succeeded(await client.post('/v1/end_user_sessions', body)).token)
  const me = await session({ external_user_id: 'myself' })
  const path = '/v1/me/conversations'
  const streams = async (key: string, headers: object) => {
    const ended = new AbortController()
    const authorization = `Bearer ${key}`
    const { signal } = ended
    const { body } = await fetch(`${api.url}/v1/me/stream`, {
      headers: { authorization, ...headers },
      signal,
    })
    const received = { text: '', end: () => ended.abort() }
    const reading = async () => {
      for await (const text of body!.pipeThrough(new TextDecoderStream())) received.text += text
    }
    reading().catch(() => undefined)
    await until('the stream begins', () => received.text.includes('connected'))
    return received
  }
  const { id: former } = succeeded(await me.post(path, { message: { body: 'Hello' } }))
  await say(client, former, 'operator')
  const first = await streams(me.key, {})
  const alone = await say(client, former, 'operator') // an event of the message alone
  await until('it arrives', () => first.text.includes(alone.id))
  const mine = succeeded(await me.post(path, { message: { body: '**Hello**', body_format: 'markdown' } }))
  const reply = await say(client, mine.id, 'operator')
  await until('the message arrives', () => first.text.includes(reply.id))
  const bound = await session({ external_user_id: 'myself', conversation_id: mine.id })
  const id = { 'last-event-id': /^id: (.*)$/m.exec(first.text)![1]! }
  for (const key of [me.key, bound.key]) {
    const resumed = await streams(key, id).catch(() => null)
    await until('it goes on', () => resumed?.text.includes(reply.id))
    resumed!.end()
  }
  const guest = await made(client, 'end_users', { external_id: 'my guest' })
  succeeded(await client.put(`/v1/conversations/${mine.id}/participants/${guest.id}`))
  for (const person of [me, bound, await session({ end_user_id: guest.id })]) {
    for (const sort of ['created_at', '-created_at']) {
      succeeded(await person.get(`${path}?include=total&limit=1&sort=${sort}`))
      succeeded(
        await person.get(
          `${path}/${mine.id}/messages?include=total&sort=${sort.replace('created_at', 'sequence')}`,
        ),
      )
    }
    for (const rest of [
      '',
      '/kb/search?q=card',
      '/kb/articles?include=total',
      '/faqs?include=total',
      '/faqs?q=card',
    ])
      succeeded(await person.get(`/v1/me${rest}`))
    succeeded(await person.post(`${path}/${mine.id}/read`, { up_to_sequence: 1 }))
    succeeded(await person.post(`${path}/${mine.id}/messages`, { body: 'More', in_reply_to_id: reply.id }))
  }
  await conversation(client, { external_user_id: 'myself' })
  for (const sort of ['created_at', '-created_at']) {
    const { next_cursor } = succeeded(await me.get(`${path}?limit=1&sort=${sort}`))
    succeeded(await me.get(`${path}?limit=1&sort=${sort}&cursor=${next_cursor}`))
  }
  succeeded(await client.patch('/v1/workspace', { end_users_may_resolve: true }))
  succeeded(await me.post(`${path}/${mine.id}/resolve`))
  first.end()
}

/** Links a conversation from before end users, after it was listed. */
async function linkOldConversations(api: Service, client: Client, tenantId: string): Promise<void> {
  const { id } = await made(client, 'conversations', { external_user_id: 'linked' })
  const home = api.db.home(tenantId)
  await home.write(
    sql`update conversations set external_user_id = 'unlinked', end_user_id = null
      where tenant_id = ${tenantId} and id = ${uuidOf('conv', id)}`,
  )
  await environmentsWithUnlinked({ ...api.db, state: new Map() })
  succeeded(await client.get('/v1/conversations?external_user_id=unlinked'))
  await linkSome(home, tenantId, 10)
}

/** Uses files in messages and articles, releases them, and works on their tasks. */
async function useFiles(api: Service, client: Client, tenantId: string): Promise<void> {
  const [shown, image] = [await file(api, client), await file(api, client)]
  const begun = await conversation(client, { external_user_id: 'uploader' })
  const sent = await say(client, begun.id, 'operator', { attachments: [{ file_id: shown.id }] })
  const session = await made(client, 'end_user_sessions', { external_user_id: 'uploader' })
  const me = api.client(session.token)
  succeeded(await me.get(`/v1/me/files/${shown.id}`))
  succeeded(await me.get(`/v1/me/files/${(await file(api, me, { path: '/v1/me/files' })).id}`))
  const article = await made(client, 'kb/articles', { title: 'Image', body: `![a](file:${image.id})` })
  succeeded(await client.post(`/v1/kb/articles/${article.id}/publish`))
  const path = `/v1/kb/articles/${article.id}/files/${image.id}`
  assert.equal((await fetch(api.url + path)).status, 200)
  succeeded(await client.post(`/v1/messages/${sent.id}/redact`))
  succeeded(await client.delete(`/v1/kb/articles/${article.id}`))
  await messagesWith(api.db.home(tenantId), tenantId, newUuid(Date.now()))
  // Later than the tasks that the service itself takes meanwhile, and than those that it puts off.
  const now = toInstant(Date.now() + 86_400_000)
  const scan = { copies: 0, file_id: newUuid(Date.now()), due_at: now, final_at: now }
  const home = api.db.home(tenantId)
  await home.write(insertScans(tenantId, [scan]))
  for (const task of ['scan', 'tidy'] as const) {
    await environmentsWithTasks(api.db, task, now)
    const until = toInstant(Date.now() + 90_000_000)
    const [claimed] = await claimTasks(home, tenantId, task, now, until, 4)
    await postponeTask(home, tenantId, claimed!, until, { dueAt: now, failures: 1 })
    await finishTask(home, tenantId, claimed!, now)
  }
}

/** Exchanges JWTs, adopts a visitor, renews, and uses sessions, whose uses are recorded a second later. */
async function signIn(api: Service, client: Client, tenantId: string): Promise<void> {
  const path = '/v1/end_user_sessions'
  const page = api.client(
    succeeded(await client.post('/v1/api_keys', { name: 'Page', kind: 'publishable' })).secret,
  )
  const key = await made(client, 'identity_keys', { name: 'Shop', algorithm: 'HS256' })
  const visit = succeeded(await page.post(`${path}/anonymous`, { name: 'Visitor', email: 'v@example.com' }))
  for (const head of [{ alg: 'HS256' }, { alg: 'HS256', kid: key.id }]) {
    const { now } = succeeded(await client.get('/v1/test_clock'))
    const exp = Math.floor(Date.parse(now) / 1000) + 60
    const claims = { sub: 'signed in', exp, email: 'v@example.com', email_verified: true }
    const jwt = signedJwt(head, claims, bySecret(key.secret))
    succeeded(await page.post(`${path}/exchange`, { jwt, previous_token: visit.token }))
  }
  const [endUser] = succeeded(await client.get('/v1/end_users?external_id=signed+in')).data
  const { id: conversation_id } = await conversation(client, { external_user_id: 'signed in' })
  const session = await made(client, 'end_user_sessions', { end_user_id: endUser.id, conversation_id })
  succeeded(await api.client(session.token).post(`${path}/renew`))
  const use = { id: uuidOf('eus', session.id)!, endUserId: uuidOf('eu', endUser.id)! }
  await touchSessions(api.db.home(tenantId), tenantId, [use], toInstant(api.now()))
}

/** Runs searches with matches, with typos, with a second page, and within one collection. */
async function search(api: Service, client: Client): Promise<void> {
  const fixtures = new Fixtures(api, client)
  const { id: collection_id } = succeeded(await client.post('/v1/kb/collections', { name: 'Billing' }))
  for (const title of ['Refund of a payment', 'Refund of a payment again', 'Refund of a card']) {
    const { id } = succeeded(
      await client.post('/v1/kb/articles', {
        title,
        body: `${title} takes days`,
        locale: 'en',
        collection_id,
      }),
    )
    succeeded(await client.post(`/v1/kb/articles/${id}/publish`))
    succeeded(
      await client.post(`/v1/kb/articles/${id}/feedback`, { external_user_id: 'user_1', helpful: true }),
    )
    succeeded(
      await client.post(`/v1/kb/articles/${id}/feedback`, { external_user_id: 'user_1', helpful: false }),
    )
    succeeded(await client.patch(`/v1/kb/articles/${id}`, { slug: `renamed-${id.slice(-6)}` }))
    succeeded(await client.post(`/v1/kb/articles/${id}/publish`))
  }
  const question = await fixtures.body(routes.find(({ name }) => name === 'createFaq')!)
  for (const text of ['How long does a refund take?', 'Who gets a refund?']) {
    const faq = { ...(question as object), question: text, locale: 'en', status: 'published' }
    succeeded(await client.post('/v1/faqs', faq))
  }
  for (const query of [
    'q=refund',
    'q=refund&locale=en',
    `q=refund&collection_id=${collection_id}`,
    'q=refnud+paymnet',
    'q=refund+zebra',
  ]) {
    for (const path of ['/v1/kb/search', '/v1/faqs']) {
      if (path === '/v1/faqs' && query.includes('collection_id')) continue
      const found = succeeded(await client.get(`${path}?limit=1&include=total&${query}`))
      if (found.next_cursor)
        succeeded(
          await client.get(`${path}?limit=1&${query}&cursor=${encodeURIComponent(found.next_cursor)}`),
        )
    }
  }
}

/** Searches for words outside the newest conversations, and for ones with more matches than are examined. */
async function searchAmongMany({ db }: Service, { test, environments }: World): Promise<void> {
  const { tenantId } = environments.test
  for (let i = 0; i < 3; i++) await conversation(test, { message: { body: 'Giraffes' } })
  const limits: SearchLimits = { walks: [1, 2, 3], frequentFrom: 2, fewest: 1, few: 1, counted: 1 }
  const page = { limit: 10, after: null, sort: '-created_at' } as const
  for (const q of ['giraffe', 'zebra', 'giraffe.zebra@example.com']) {
    const at = { tenantId, now: new Date().toISOString() }
    const list = conversationList(db.home(tenantId), at, { all: [] }, q, { search: limits })
    await list.page(page)
    await list.count(10)
  }
}

/** Changes settings with effects on other rows, moves a clock while webhooks are sent, and opens a stream. */
async function liveOn(api: Service, client: Client): Promise<void> {
  const name = `Renamed ${newUuid(Date.now())}`
  succeeded(await client.patch('/v1/workspace', { name, auto_close_after_seconds: 7200 }))
  await made(client, 'webhook_endpoints', {
    url: 'https://hooks.invalid/backline',
    enabled_events: ['kb_article.published'], // no endpoint matches, so that the clock does not wait
  })
  await conversation(client)
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 60 }))
  const ended = new AbortController()
  const headers = { authorization: `Bearer ${client.key}` }
  await fetch(`${api.url}/v1/events/stream`, { headers, signal: ended.signal })
  ended.abort()
  await fetch(`${api.url}/metrics`)
}

/** Builds the index of a field of each kind of object, clears it, and removes the values. */
async function workOnFields({ db }: Service, { test: client, environments }: World): Promise<void> {
  const advance = async (seconds: number) =>
    succeeded(await client.post('/v1/test_clock/advance', { seconds }))
  const kinds = {
    conversation: ['conversations', { external_user_id: 'valued' }],
    end_user: ['end_users', { external_id: 'valued_too' }],
    company: ['companies', { name: 'Valued' }],
  } as const
  for (const [applies_to, [path, body]] of Object.entries(kinds)) {
    const field = { applies_to, key: 'place', name: 'Place', type: 'text' }
    const { id } = await made(client, 'custom_fields', field)
    const { id: holder } = await made(client, path, { ...body, custom_fields: { place: 'Kiel' } })
    for (const indexed of [true, false, true]) {
      succeeded(await client.patch(`/v1/custom_fields/${id}`, { indexed }))
      await advance(1)
    }
    succeeded(await client.patch(`/v1/${path}/${holder}`, { custom_fields: { place: 'Bonn' } }))
    assert.equal((await client.delete(`/v1/custom_fields/${id}`)).status, 204)
    // As a batch that is followed by another one.
    await db
      .home(environments.test.tenantId)
      .write(moveTask(environments.test.tenantId, uuidOf('cf', id)!, firstUuid))
    await advance(61)
  }
}

/** Judges events by filters that name what events do not have. */
async function filterWebhooks(client: Client): Promise<void> {
  await made(client, 'custom_fields', { applies_to: 'company', key: 'seats', name: 'Seats', type: 'number' })
  const { id: company } = await made(client, 'companies', { name: 'Filtered', custom_fields: { seats: 40 } })
  await made(client, 'end_users', { external_id: 'filtered', company_ids: [company] })
  const names = ['tags', 'end_user.email', 'company.custom_fields.seats', 'sla.status']
  const { id: endpoint } = await made(client, 'webhook_endpoints', {
    url: 'https://hooks.invalid/backline',
    status: 'paused',
    filter: { any: names.map((field) => ({ field, op: 'exists', value: true })) },
  })
  const { id } = await conversation(client, {
    external_user_id: 'filtered',
    company_id: company,
    tags: ['filtered'],
  })
  await say(client, id, 'end_user')
  const since = '2020-01-01T00:00:00Z'
  succeeded(await client.post(`/v1/webhook_endpoints/${endpoint}/recover`, { since }))
}

/** Calls the statements that follow from a race, a failure, a restart or months of time. */
async function meetTheRare(api: Service, { environments }: World): Promise<void> {
  const { db } = api
  const { tenantId, workspaceId } = environments.live
  const home = db.home(tenantId)
  const [id, now] = [newUuid(api.now()), toInstant(api.now())]
  const due = { job: 'nothing', subjectId: id, dueAt: now }
  await takenKeys(home, tenantId, ['a', 'b'])
  await backOff(home, tenantId, due, now)
  await lagOfAll(db, 'nobody', api.now()) // who has read nothing
  await fanOutLag(db, 'nobody', api.now())
  await probeWorkers(db, api.connection)
  await findDatabaseFacts(db)
  await readClock(db)
  await findEnvironmentOfKey(db, id)
  await findWorkspaceByName(db, workspaceId)
  await listWorkspaces(db)
  await countIds(home, tenantId, { after: null, before: null }, [id])
  await findBlockNumber(home, tenantId, Buffer.alloc(32))
  await findBlocks(home, tenantId, 0, 1, 1)
  await findTranslation(home, tenantId, id)
  await findInFamily(home, tenantId, id, 'en')
  await findNamesake(home, tenantId, { id, parent_id: null, name: 'a', slug: 'a' } as never)
  const place = { epoch: 1, position: 1, ordinal: 0 }
  const rows = [
    { id, version: 1 },
    { id: newUuid(api.now()), version: 1 },
  ]
  const writes: Sql[] = [
    scheduleUnlessDue(tenantId, [due]),
    moveFloor(tenantId, [{ from: null, to: place }]),
    moveFloor(tenantId, [{ from: place, to: { ...place, ordinal: 1 } }]),
    keepBodies(tenantId, [{ from: null, to: place }]),
    thinEvents(tenantId, [{ from: null, to: place }]),
    moveRecovery(tenantId, id, place),
    deleteUses(tenantId, [{ tag_id: id, conversation_id: id }]),
    workspaceTable.unchanged(tenantId, [{ version: 1 } as never]),
    tagTable.unchanged(tenantId, rows as never),
    tagTable.remove(tenantId, rows as never),
  ]
  for (const statement of writes) await home.write(statement)
  await sweepDeliveries(home, tenantId, now, 1) // the feed has a floor now
  await allEnvironments(db) // those with something to remove
  await sweepKeys(home, tenantId, now, 1)
  const through = await consumedUpTo(home, tenantId, sealing)
  await nextEvents(home, tenantId, null, through ?? beginning, 1)
  await forgetHead(api, tenantId)
  await sealAgain(db, tenantId)
}

/** Stores keys of a rotation, and replaces a sealed value, as the rotation of the secret key does. */
async function sealAgain(db: Db, tenantId: string): Promise<void> {
  const [name, value] = ['secret_key_former_check', Buffer.alloc(32)]
  await replaceInstallationSecrets(db, [
    { name, value },
    { name: 'unused', value },
  ])
  for (const each of [name, 'unused']) await deleteInstallationSecret(db, each)
  const columns = { table: 'webhook_endpoints', columns: ['secret_sealed'] }
  for (const after of [null, { tenant_id: tenantId, id: firstUuid }]) await sealedRows(db, columns, after, 1)
  const row = { tenant_id: tenantId, id: firstUuid, secret_sealed: value }
  await replaceSealed(db, 'webhook_endpoints', 'secret_sealed', row, value)
  await findOtherAdmin(db.home(tenantId), tenantId, firstUuid)
}

/** Removes the head of a journal, which a start adds again. */
async function forgetHead({ db }: Service, tenantId: string): Promise<void> {
  const [former] = await db.write<{ position: number }>(
    sql`/* test */ delete from journal_heads where tenant_id = ${tenantId} returning position`,
  )
  await addMissingHeads(db)
  await noteHeads(db)
  await db.write(
    sql`/* test */ update journal_heads set position = ${former!.position} where tenant_id = ${tenantId}`,
  )
  const home = db.home(tenantId)
  await keepBeyond(home, tenantId, { ...(await endOfJournal(home, tenantId)), ordinal: 1 })
}

/** Writes two changes with one transaction, as group commit does. */
async function writeTogether({ db }: Service, tenantId: string): Promise<void> {
  const planOf = (): WritePlan => {
    const item = { job: 'nothing', subjectId: newUuid(Date.now()), dueAt: '2999-01-01T00:00:00.000Z' }
    const part = scheduleUnlessDue as Part<unknown>
    return { tenantId, parts: [{ part, item, mode: 'exact' }], events: [], key: null }
  }
  const [first, ...others] = compilePlans([[planOf()], [planOf()]]).map(({ statement }) => statement)
  await db.home(tenantId).write(first!, ...others)
}

/** Sends every statement of the source. */
export async function doEverything(api: Service): Promise<void> {
  const world = await api.world()
  await callEveryRoute(api, world.test)
  await readEveryList(api, world.test)
  await workAtTheDesk(world.test)
  await workWithViews(world.test)
  await writeForLater(world.test)
  await workWithCompanies(world.test)
  await actAsEndUser(api, world.test)
  await workWithEndUsers(world.test)
  const former = await api.world()
  await linkOldConversations(api, former.test, former.environments.test.tenantId)
  await useFiles(api, former.test, former.environments.test.tenantId)
  await signIn(api, former.test, former.environments.test.tenantId)
  await writeTogether(api, world.environments.test.tenantId)
  await search(api, world.test)
  await readMessages(api, world.test, world.environments.test.tenantId)
  const notifying = await api.world()
  await notifyOperators(api, notifying.test, notifying.environments.test.tenantId)
  await searchAsReaders(api, world.test, world.environments.test.tenantId)
  await searchAmongMany(api, world)
  await liveOn(api, (await api.world()).test)
  await filterWebhooks((await api.world()).test)
  await filterLists((await api.world()).test)
  await workOnFields(api, await api.world())
  await useTheConsole(api, await api.world())
  await keepTheRequestLog(api, await api.world())
  await workOnJobs(api, await api.world())
  await eraseAll(api, await api.world())
  await receiveMails(api, await api.world())
  await meetTheRare(api, world)
}
