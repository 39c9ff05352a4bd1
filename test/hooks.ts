import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import { urlOf } from './databases.ts'
import { type Body, succeeded } from './desk.ts'
import type { Client, Service } from './harness.ts'
import { startServer } from './processes.ts'
import { journalOf } from './webhook-fixtures.ts'

/* Receivers of webhooks that speak HTTP, and servers that send to them. receivers.ts has those that violate HTTP. */

export const localNetworks = { BACKLINE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

/** A request as a receiver reads it. */
export type Hook = { headers: Record<string, string>; body: string; event: Body }

export type HookReceiver = { url: string; hooks: Hook[] }

/** Listens on 127.0.0.1 until the process ends, without keeping it alive. @param answer responds 204 by default */
export async function hookReceiver(
  answer: (hook: Hook, outgoing: ServerResponse, incoming: IncomingMessage) => unknown = (_, outgoing) =>
    outgoing.writeHead(204).end(),
): Promise<HookReceiver> {
  const self: HookReceiver = { url: '', hooks: [] }
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    incoming.on('end', () => {
      const hook = { headers: incoming.headers as Record<string, string>, body, event: JSON.parse(body) }
      self.hooks.push(hook)
      answer(hook, outgoing, incoming)
    })
    incoming.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return self
}

/** Creates an endpoint; the result contains its secret. */
export const endpoint = async (client: Client, url: string, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/webhook_endpoints', { url, enabled_events: ['tag.*'], ...fields }))

export const deliveriesOf = async (client: Client, { id }: Body, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/webhook_endpoints/${id}/deliveries?limit=100&${query}`)).data

/** The ids of the events of tags after the creation of the newest endpoint, in order. */
export async function eventsAfterCreation(api: Service, env: Environment): Promise<string[]> {
  const journal = await journalOf(api, env)
  const creation = journal.findLastIndex(({ type }) => type === 'webhook_endpoint.created')
  return journal
    .slice(creation)
    .filter(({ type }) => type.startsWith('tag.'))
    .map(({ id }) => typeId('evt', id))
}

let tags = 0
/** Causes an event, `tag.created`. */
export const tag = async (client: Client): Promise<Body> =>
  succeeded(await client.post('/v1/tags', { name: `tag ${++tags}` }))

const workerSettings = {
  BACKLINE_ROLE: 'worker',
  ...localNetworks,
  BACKLINE_WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
}

/** Starts a worker on a service's database, in this process. */
export const openWorker = (api: Service, environment: Record<string, string> = {}) =>
  api.another({ works: true, environment: { ...workerSettings, ...environment } })

/** Starts a worker as a separate process, which can be killed. */
export const startWorker = (api: Service, environment: Record<string, string> = {}) =>
  startServer({
    environment: {
      DATABASE_URL: urlOf(api.connection),
      BACKLINE_FILES_DIR: api.filesDir,
      ...workerSettings,
      ...environment,
    },
  })
