import { ApiRefusal, type Client, openClient } from '../api/client.ts'

/** The programs of the demo that call the API. The rate limit of the server counts for each key. */
const programs = ['Web chat', 'Mail gateway', 'Operator desk', 'Mobile operator desk']
const scopes = ['conversations:write', 'messages:write']

export type Keys = {
  /** A client for each program; only the given one if it may not create keys. */
  clients: Client[]
  /** Revokes the keys with a client that is not stopped. */
  revoke(client: Client): Promise<void>
}

/** Creates a key for each program, which are revoked in the end. */
export async function openKeys(own: Client, url: string, signal: AbortSignal): Promise<Keys> {
  const ids: string[] = []
  const clients: Client[] = []
  const revoke = async ({ call }: Client) => {
    for (const id of ids) await call('DELETE', `/v1/api_keys/${id}`)
  }
  try {
    for (const program of programs) {
      const body = { name: `Demo: ${program}`, scopes }
      const { id, secret } = await own.call('POST', '/v1/api_keys', { body })
      ids.push(id)
      clients.push(openClient({ url, key: secret }, signal))
    }
  } catch (error) {
    await revoke(own)
    if (error instanceof ApiRefusal && error.code === 'scope_missing')
      return { clients: [own], revoke: async () => {} }
    throw error
  }
  return { clients, revoke }
}
