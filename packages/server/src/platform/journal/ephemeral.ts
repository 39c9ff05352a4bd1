import type { Notifications } from '../postgres/notifications.ts'

type Listener = (event: EphemeralEvent) => void

/** A fact that lasts for seconds and is stored nowhere, such as that somebody is typing. */
export type EphemeralEvent = {
  tenantId: string
  /** The stream of the journal whose readers may see it. */
  streamId: string
  name: string
  /** The JSON of `data`. */
  data: string
}

/** Ephemeral events of an environment, in this process and all others. None is repeated, and some may be lost. */
export type Ephemeral = {
  send(event: EphemeralEvent): void
  /** Subscribes to the events of an environment, and returns the function that ends it. */
  on(tenantId: string, listener: Listener): () => void
  /** Subscribes to the events of a name of all environments, for as long as the process runs. */
  onEvery(name: string, listener: Listener): void
}

/** @param notifications connects the processes of a database; without it, events stay in this process */
export function openEphemeral(notifications?: Notifications): Ephemeral {
  const listeners = new Map<string, Set<Listener>>()
  const everywhere = new Map<string, Listener[]>()
  const tell = (event: EphemeralEvent) => {
    for (const listener of everywhere.get(event.name) ?? []) listener(event)
    for (const listener of listeners.get(event.tenantId) ?? []) listener(event)
  }
  notifications?.onBroadcast((text) => {
    const [tenantId = '', streamId = '', name = '', ...data] = text.split(' ')
    if (listeners.has(tenantId) || everywhere.has(name))
      tell({ tenantId, streamId, name, data: data.join(' ') })
  })
  return {
    send(event) {
      tell(event)
      const { tenantId, streamId, name, data } = event
      notifications?.broadcast(`${tenantId} ${streamId} ${name} ${data}`)
    },
    on(tenantId, listener) {
      const known = listeners.get(tenantId) ?? new Set()
      listeners.set(tenantId, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && listeners.get(tenantId) === known) listeners.delete(tenantId)
      }
    },
    onEvery(name, listener) {
      everywhere.set(name, [...(everywhere.get(name) ?? []), listener])
    },
  }
}
