import type { Notifications } from '../postgres/notifications.ts'

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
  on(tenantId: string, listener: (event: EphemeralEvent) => void): () => void
}

/** @param notifications those between processes, if there are any */
export function openEphemeral(notifications?: Notifications): Ephemeral {
  const listeners = new Map<string, Set<(event: EphemeralEvent) => void>>()
  const tell = (event: EphemeralEvent) => {
    for (const listener of listeners.get(event.tenantId) ?? []) listener(event)
  }
  notifications?.onBroadcast((text) => {
    const [tenantId = '', streamId = '', name = '', ...data] = text.split(' ')
    if (listeners.has(tenantId)) tell({ tenantId, streamId, name, data: data.join(' ') })
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
  }
}
