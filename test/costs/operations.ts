import { randomUUID } from 'node:crypto'
import { act, conversation, holdReason, operator, say, succeeded } from '../desk.ts'
import { conversationsPath, someone, start } from '../end-users.ts'
import { file } from '../files.ts'
import type { Client, Service, World } from '../harness.ts'
import { endpoint, hookReceiver } from '../hooks.ts'
import { config } from '../sla-fixtures.ts'

/* The operations that have budgets. Each run of one does the same. */

/** Prepares an environment; the result is the operation, which is called with the number of the run. */
export type Operation = (api: Service, world: World) => Promise<(run: number) => Promise<unknown>>

/** The first runs warm up: PostgreSQL makes a plan for all values of a statement after five executions. */
export const warmUps = 10
export const measured = 5

const created = { external_user_id: 'user_1', subject: 'Cannot sign in', initiated_by_side: 'end_user' }

const conversations = async (client: Client, count: number, fields: object = {}): Promise<string[]> => {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await conversation(client, { ...created, ...fields })).id)
  return ids
}

/** An operation on a conversation of its own in each run. */
async function onEach(client: Client, run: (id: string) => Promise<unknown>, fields: object = {}) {
  const ids = await conversations(client, warmUps + measured, fields)
  return (i: number) => run(ids[i]!)
}

const page =
  (query: string): Operation =>
  async (_, { test: client }) => {
    await conversations(client, 30)
    return () => client.get(`/v1/conversations?limit=20${query}`).then(succeeded)
  }

const withEndpoints =
  (count: number): Operation =>
  async (_, { test: client }) => {
    const { url } = await hookReceiver()
    for (let i = 0; i < count; i++) await endpoint(client, url, { enabled_events: ['conversation.*'] })
    return () => conversation(client, created)
  }

export const operations = {
  'create, end user known': async (_, { test: client }) => {
    await conversation(client, created)
    return () => conversation(client, created)
  },
  'create, end user new':
    async (_, { test: client }) =>
    () =>
      conversation(client, { ...created, external_user_id: randomUUID() }),
  'message of an end user': async (_, { test: client }) =>
    onEach(client, (id) => say(client, id, 'end_user')),
  'message of an operator': async (_, { test: client }) => {
    const assignee_id = await operator(client)
    return onEach(client, (id) => say(client, id, 'operator', { operator_id: assignee_id }), { assignee_id })
  },
  claim_next: async (_, { test: client }) => {
    const headers = { 'backline-operator': await operator(client) }
    await conversations(client, warmUps + measured)
    return () => client.post('/v1/conversations/claim_next', {}, headers).then(succeeded)
  },
  hold: async (_, { test: client }) => {
    const hold_reason_id = await holdReason(client)
    return onEach(client, (id) => act(client, id, 'hold', { hold_reason_id }))
  },
  resolve: async (_, { test: client }) => onEach(client, (id) => act(client, id, 'resolve')),
  get: async (_, { test: client }) => {
    const { id } = await conversation(client, created)
    return () => client.get(`/v1/conversations/${id}`).then(succeeded)
  },
  page: page(''),
  'page of new ones': page('&status=new'),
  'page of a view': async (_, { test: client }) => {
    const filter = { field: 'status', op: 'is', value: 'new' }
    const { id } = succeeded(await client.post('/v1/views', { name: 'New', filter }))
    await conversations(client, 30)
    return () => client.get(`/v1/views/${id}/items?limit=20`).then(succeeded)
  },
  search: page('&q=sign'),
  'page of an end user': async (api, world) => {
    const person = await someone(api, world)
    for (let i = 0; i < 30; i++) await start(person)
    return () => person.get(`${conversationsPath}?limit=20`).then(succeeded)
  },
  upload:
    async (api, { test: client }) =>
    () =>
      file(api, client),
  'create, one webhook endpoint': withEndpoints(1),
  'create, ten webhook endpoints': withEndpoints(10),
  'create, one reader of the stream': async (api, { test: client }) => {
    const headers = { authorization: `Bearer ${client.key}` }
    const { body } = await fetch(`${api.url}/v1/events/stream`, { headers })
    void body!.pipeTo(new WritableStream()).catch(() => undefined) // it ends with the server
    return () => conversation(client, created)
  },
  'message of an operator that stops clocks': async (_, { test: client }) => {
    await config(client, { targets: [{ first_response_seconds: 3600, resolution_seconds: 7200 }] })
    const assignee_id = await operator(client)
    return onEach(client, (id) => say(client, id, 'operator', { operator_id: assignee_id }), { assignee_id })
  },
} satisfies Record<string, Operation>
