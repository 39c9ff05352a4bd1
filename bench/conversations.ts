import { typeId } from '@backline/server/platform/kernel/ids.ts'
import type pg from 'pg'
import type { Load, Loads, Target } from './load.ts'

const newConversation = JSON.stringify({
  external_user_id: 'user_{unique}',
  subject: 'Card declined',
  metadata: { plan: 'pro' },
})

/** The create that most loads are compared with. */
export const plainCreate = (): Load => ({
  method: 'POST',
  paths: ['/v1/conversations'],
  bodies: [newConversation],
  idempotencyKey: '{unique}',
})

/** Fills the database, then finds the values that the loads need: ids, a deep page, a stored key. */
export async function prepareConversations(client: pg.Client, target: Target, count: number): Promise<Loads> {
  const ids = await fill(client, target, count)
  const replayKey = 'a-key-to-replay'
  const replayed = newConversation.replace('{unique}', 'once')
  await send(target, 'POST', '/v1/conversations', replayed, replayKey)
  const deepPage = Math.min(400, Math.floor(count / 50))
  const deep = await pageAt(target, deepPage)
  const some = ids.slice(0, 500)
  const token = await tokenOf(target, some[0]!)
  return {
    'create conversation': plainCreate,
    'create conversation, known end user': () => ({
      ...plainCreate(),
      bodies: [newConversation.replace('{unique}', '42')],
    }),
    'create message': () => ({
      method: 'POST',
      paths: some.map((id) => `/v1/conversations/${id}/messages`),
      bodies: [JSON.stringify({ author_side: 'end_user', body: 'My card was declined twice.' })],
      idempotencyKey: '{unique}',
    }),
    'create message, by token': () => ({
      method: 'POST',
      paths: some.map((id) => `/v1/me/conversations/${id}/messages`),
      headers: { authorization: `Bearer ${token}` },
      bodies: [JSON.stringify({ body: 'My card was declined twice.' })],
      idempotencyKey: '{unique}',
    }),
    'get by id': () => ({ method: 'GET', paths: some.map((id) => `/v1/conversations/${id}`) }),
    'list page 1': () => ({ method: 'GET', paths: ['/v1/conversations'] }),
    [`list page ${deepPage}`]: () => ({ method: 'GET', paths: [deep] }),
    'replay of a stored key': () => ({
      method: 'POST',
      paths: ['/v1/conversations'],
      bodies: [replayed],
      idempotencyKey: replayKey,
    }),
  }
}

/** Copies of one conversation created through the API, with ids of the last days. @returns some of their ids */
async function fill(client: pg.Client, target: Target, count: number): Promise<string[]> {
  await send(target, 'POST', '/v1/conversations', newConversation, 'the-template')
  const names = await conversationColumns(client)
  const made = names.map((name) =>
    name === 'id' ? 'made.id' : name === 'created_at' || name === 'updated_at' ? 'made.at' : `c.${name}`,
  )
  await client.query(
    `insert into conversations (${names.join(', ')}) select ${made.join(', ')} from conversations c,
      (select at, pg_temp.made_id(at, n::text) as id
       from (select n, date_trunc('milliseconds', now() - (n * interval '1 second')) as at from generate_series(1, $1::integer) n) times) made
     limit $1`,
    [count],
  )
  await client.query('vacuum analyze conversations')
  const { rows } = await client.query('select id from conversations order by id desc limit 1000')
  return rows.map((row) => typeId('conv', row.id))
}

/** A token of the end user of a conversation, to whom all copies of it belong. */
async function tokenOf(target: Target, id: string): Promise<string> {
  const { end_user_id } = await send(target, 'GET', `/v1/conversations/${id}`)
  const session = JSON.stringify({ end_user_id, expires_in_seconds: 86_400 })
  return (await send(target, 'POST', '/v1/end_user_sessions', session, 'session')).token
}

export async function conversationColumns(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    "select attname from pg_attribute where attrelid = 'conversations'::regclass and attnum > 0 and not attisdropped",
  )
  return rows.map((column) => column.attname)
}

async function pageAt(target: Target, page: number): Promise<string> {
  let path = '/v1/conversations'
  for (let i = 1; i < page; i++) {
    const body = await send(target, 'GET', path)
    path = `/v1/conversations?cursor=${body.next_cursor}`
  }
  return path
}

/** @returns the body of the response */
async function send(
  { url, apiKey }: Target,
  method: string,
  path: string,
  body?: string,
  key?: string,
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body ?? null,
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
