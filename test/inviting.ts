import { randomUUID } from 'node:crypto'
import { consolePath, fromConsole } from './console.ts'
import { type Body, succeeded } from './desk.ts'
import type { Answer, Client, Service, World } from './harness.ts'

/* Invitations to the console, and the browsers that open their links. */

type Kind = 'live' | 'test'

/** Invites operators of a world, in its test environment unless `kind` says otherwise. */
export const inviting = (api: Service, world: () => World) => ({
  newOperator: async (more: object = {}, kind: Kind = 'test'): Promise<Body> =>
    succeeded(await world()[kind].post('/v1/operators', { name: 'Ada', email: newEmail(), ...more })),
  invite: async (operator: Body, kind: Kind = 'test', body?: object): Promise<Body> =>
    succeeded(await ask(world()[kind], operator, body)),
  read: async ({ id }: Body, kind: Kind = 'test'): Promise<Body> =>
    succeeded(await world()[kind].get(`/v1/invitations/${id}`)),
  /** The types of the events of an object. */
  eventsOf: async ({ id }: Body, kind: Kind = 'test'): Promise<string[]> =>
    succeeded(await world()[kind].get(`/v1/events?resource_id=${id}`)).data.map(({ type }: Body) => type),
  /** Signs in by a link. */
  open: ({ url }: { url?: string }, server: { url: string } = api) =>
    fromConsole(
      server,
      'POST',
      `${consolePath}/sign_in/link`,
      { 'backline-console': 'test' },
      { token: url!.split('#link=')[1] },
    ),
})

export const newEmail = () => `${randomUUID()}@example.com`

export const ask = (client: Client, { id }: Body, body?: object): Promise<Answer> =>
  client.post(`/v1/operators/${id}/invite`, body)

/** The status of a response, with code and reason of a problem. */
export const outcome = ({ status, body }: Pick<Answer, 'status' | 'body'>): string =>
  [status, body?.code, body?.params?.reason].filter((part) => part !== undefined).join(' ')

/** The outcome of a link that is refused. */
export const refused = (reason: string): string => `401 console_session_invalid ${reason}`
