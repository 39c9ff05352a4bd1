import type { Access } from '../access/access.ts'
import { ApiRefusal, type Client, openClient } from '../api/client.ts'

/** The programs of the demo that call the API. The rate limit of the server counts for each key. */
const programs = ['Web chat', 'Mail gateway', 'Operator desk', 'Mobile operator desk']
const scopes = ['conversations:write', 'messages:write', 'end_users:write']

export type Keys = {
  /** A client for each program; one with the given key if it may not create others. */
  clients: Client[]
  /** Revokes the keys. */
  revoke(): Promise<void>
}

/**
 * Creates a key for each program.
 * @param signal ends the requests of the clients; keys are revoked after it, too
 */
export async function openKeys(access: Access, signal: AbortSignal): Promise<Keys> {
  const own = openClient(access)
  const ids: string[] = []
  const clients: Client[] = []
  const revoke = async () => {
    const revoked = await Promise.allSettled(ids.map((id) => own.call('DELETE', `/v1/api_keys/${id}`)))
    const left = ids.filter((_, i) => revoked[i]!.status === 'rejected')
    if (left.length > 0) process.emitWarning(`keys of the demo could not be revoked: ${left.join(', ')}`)
  }
  try {
    for (const program of programs) {
      const body = { name: `Demo: ${program}`, scopes }
      const { id, secret } = await own.call('POST', '/v1/api_keys', { body })
      ids.push(id)
      clients.push(openClient({ url: access.url, key: secret }, signal))
    }
  } catch (error) {
    await revoke()
    if (error instanceof ApiRefusal && error.code === 'scope_missing')
      return { clients: [openClient(access, signal)], revoke: async () => {} }
    throw error
  }
  return { clients, revoke }
}
