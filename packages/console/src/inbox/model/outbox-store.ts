import type { Attachment, CreateMessageBody } from '@backline/sdk'
import { readStored, storedNames, writeStored } from './stored.ts'

/** A message on its way to the server. Its key stays the same until it has arrived, so that it is written once. */
export type Outgoing = {
  key: string
  conversationId: string
  body: CreateMessageBody
  attachments: Attachment[]
  createdAt: string
  /** `failed`: the server refused it. `unknown`: there was no answer, so that it may have arrived. */
  state: 'sending' | 'failed' | 'unknown'
  /** Why it failed, in words. */
  reason: string | null
}

export type OutboxStore = {
  all(): Outgoing[]
  subscribe(listener: () => void): () => void
  /** False once it has arrived or was removed, in another tab as well. */
  has(key: string): boolean
  put(outgoing: Outgoing): void
  remove(key: string | null): void
  /** Returns the messages that were there when the page was loaded; nothing when it is called again. */
  takeEarlier(): Outgoing[]
}

const stores = new Map<string, OutboxStore>()

/**
 * The messages of an operator that have not arrived. They survive a reload of the page. Each is stored under a name of
 * its own, so that tabs do not overwrite each other's.
 */
export function outboxAt(prefix: string): OutboxStore {
  const known = stores.get(prefix)
  if (known) return known
  const listeners = new Set<() => void>()
  /** The keys of those that the browser refused to store. */
  const unstored = new Set<string>()
  let all = inOrder(readAll(prefix))
  let earlier = all
  const set = (next: Outgoing[]) => {
    all = inOrder(next)
    for (const listener of listeners) listener()
  }
  const store: OutboxStore = {
    all: () => all,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    has: (key) => unstored.has(key) || readStored(prefix + key) !== null,
    put(outgoing) {
      const { key } = outgoing
      if (writeStored(prefix + key, JSON.stringify(outgoing))) unstored.delete(key)
      else unstored.add(key)
      set([...all.filter((each) => each.key !== key), outgoing])
    },
    remove(key) {
      if (key === null || !all.some((each) => each.key === key)) return
      writeStored(prefix + key, null)
      unstored.delete(key)
      set(all.filter((each) => each.key !== key))
    },
    takeEarlier() {
      const taken = earlier
      earlier = []
      return taken
    },
  }
  addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(prefix))
      set([...readAll(prefix), ...all.filter((each) => unstored.has(each.key))])
  })
  stores.set(prefix, store)
  return store
}

const inOrder = (all: Outgoing[]): Outgoing[] =>
  all.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))

const readAll = (prefix: string): Outgoing[] =>
  storedNames(prefix).flatMap((name) => {
    try {
      return JSON.parse(readStored(name) ?? '[]')
    } catch {
      return []
    }
  })
