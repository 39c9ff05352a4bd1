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
  /** Without it, all readers of the stream of the journal see the event. */
  to?: Addressee
}

/** The person for whom an event is, by `viewerId` of principals. */
export type Addressee = {
  viewerId: string
  /** The scope without which even this person does not see it. */
  scope: string
  /** The subject of the event, such as the id of a row: events of a name and a subject replace each other. */
  key: string
}

/**
 * Ephemeral events of an environment, in this process and all others. None is repeated, and some may be lost. Of events
 * to a person with the same name and key, at most one in a second is passed on: the first at once, then the last.
 */
export type Ephemeral = {
  /** Other processes are not told of an event of more than 7 kB. */
  send(event: EphemeralEvent): void
  /** Subscribes to the events of an environment, and returns the function that ends it. */
  on(tenantId: string, listener: Listener): () => void
  /** Subscribes to the events of a name of all environments, for as long as the process runs. */
  onEvery(name: string, listener: Listener): void
}

const intervalMs = 1_000

/** @param notifications connects the processes of a database; without it, events stay in this process */
export function openEphemeral(notifications?: Notifications): Ephemeral {
  const listeners = new Map<string, Set<Listener>>()
  const everywhere = new Map<string, Listener[]>()
  const isHeard = ({ tenantId, name }: EphemeralEvent) => listeners.has(tenantId) || everywhere.has(name)
  // Senders keep the interval too, because only few texts can be broadcast.
  const broadcast = paced((event) => notifications?.broadcast(toText(event)))
  const tell = paced((event) => {
    for (const listener of everywhere.get(event.name) ?? []) listener(event)
    for (const listener of listeners.get(event.tenantId) ?? []) listener(event)
  })
  notifications?.onBroadcast((text) => {
    const event = fromText(text)
    if (isHeard(event)) tell(event)
  })
  return {
    send(event) {
      if (isHeard(event)) tell(event)
      if (notifications) broadcast(event)
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

/** A process of an earlier release ignores events to a person: it knows no environment of such a name. */
const toText = ({ tenantId, streamId, name, data, to }: EphemeralEvent): string =>
  `${[tenantId, ...(to ? [to.viewerId, to.scope, to.key] : [])].join('/')} ${streamId} ${name} ${data}`

function fromText(text: string): EphemeralEvent {
  const [whose = '', streamId = '', name = '', ...data] = text.split(' ')
  const [tenantId = '', viewerId, scope = '', key = ''] = whose.split('/')
  const event = { tenantId, streamId, name, data: data.join(' ') }
  return viewerId === undefined ? event : { ...event, to: { viewerId, scope, key } }
}

/** Passes on all events to nobody in particular, and the others in intervals. */
function paced(passOn: Listener): Listener {
  /** Those that were passed on less than an interval ago, with the last event since then. */
  const recent = new Map<string, EphemeralEvent | null>()
  function passPaced(subject: string, event: EphemeralEvent): void {
    passOn(event)
    recent.set(subject, null)
    const proceed = () => {
      const last = recent.get(subject)
      recent.delete(subject)
      if (last) passPaced(subject, last)
    }
    setTimeout(proceed, intervalMs).unref()
  }
  return (event) => {
    const { tenantId, name, to } = event
    if (!to) return passOn(event)
    const subject = [tenantId, to.viewerId, name, to.key].join('/')
    if (recent.has(subject)) recent.set(subject, event)
    else passPaced(subject, event)
  }
}
