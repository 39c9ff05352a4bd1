import type { Attachment, Problem } from '@backline/sdk'
import { createStore, type Store } from './store.ts'
import { readStored, storedNames, writeStored } from './stored.ts'

/** Why a message was not sent. */
export type Reason =
  /** The server cannot be reached. */
  | { code: 'connection' }
  /** The server cannot take it at the moment. */
  | { code: 'server' }
  | { code: 'signed_out' }
  /** It waits for too long already. */
  | { code: 'old' }
  /** Others have written meanwhile. */
  | { code: 'answered' }
  | { code: 'refused'; problem: Problem }

/** A message on its way to the server. */
export type Outgoing<Body> = {
  /** The idempotency key of all attempts, so that the message is written once. */
  key: string
  conversationId: string
  body: Body
  attachments: Attachment[]
  createdAt: string
  /** The time at which the person last said that it is to be sent. */
  approvedAt: string
  /** The time until which the person can take it back: it is not sent before. Null if it cannot be taken back. */
  dueAt: string | null
  /** The number of messages in the conversation at that time, as far as the person could see them. */
  seenCount: number
  /** `waiting`: is sent by itself. `held`: the person decides. `refused`: the server refused it. */
  state: 'waiting' | 'held' | 'refused'
  /** Null if it is on its way for the first time. */
  reason: Reason | null
  /** Whether an attempt was made whose answer may have been lost. */
  mayHaveArrived: boolean
}

const states: unknown[] = ['waiting', 'held', 'refused'] satisfies Outgoing<unknown>['state'][]

const stores = new Map<string, unknown>()

/** The messages below a prefix of names in the storage. */
export function outboxStoreAt<Body>(prefix: string): OutboxStore<Body> {
  const store = (stores.get(prefix) as OutboxStore<Body> | undefined) ?? new OutboxStore<Body>(prefix)
  stores.set(prefix, store)
  return store
}

/**
 * The messages of a person that have not arrived. They survive a reload of the page. Each is stored under a name of
 * its own, so that tabs do not overwrite each other's.
 */
export class OutboxStore<Body> {
  readonly all: Store<Outgoing<Body>[]>['get']
  readonly subscribe: Store<Outgoing<Body>[]>['subscribe']
  readonly #prefix: string
  readonly #all: Store<Outgoing<Body>[]>
  /** Messages that the browser refused to store, for example because its storage is full. */
  readonly #unstored = new Map<string, Outgoing<Body>>()

  /** @param prefix of the names in the storage */
  constructor(prefix: string) {
    this.#prefix = prefix
    this.#all = createStore(this.#read())
    this.all = this.#all.get
    this.subscribe = this.#all.subscribe
  }

  /** Follows what other tabs store. Returns how to stop. */
  listen(): () => void {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === null || key.startsWith(this.#prefix)) this.refresh()
    }
    this.refresh()
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }

  refresh(): void {
    const next = this.#read()
    if (JSON.stringify(next) !== JSON.stringify(this.all())) this.#all.set(next)
  }

  /** Undefined once it has arrived or was removed, in another tab as well. */
  get(key: string): Outgoing<Body> | undefined {
    return this.#unstored.get(key) ?? this.#parse(readStored(this.#prefix + key))
  }

  put(outgoing: Outgoing<Body>): void {
    const { key } = outgoing
    if (writeStored(this.#prefix + key, JSON.stringify(outgoing))) this.#unstored.delete(key)
    else this.#unstored.set(key, outgoing)
    this.refresh()
  }

  remove(key: string): void {
    if (!this.get(key)) return
    writeStored(this.#prefix + key, null)
    this.#unstored.delete(key)
    this.refresh()
  }

  /** The oldest first. */
  #read(): Outgoing<Body>[] {
    const stored = storedNames(this.#prefix).flatMap((name) => this.#parse(readStored(name)) ?? [])
    return [...stored.filter(({ key }) => !this.#unstored.has(key)), ...this.#unstored.values()].sort(
      (a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0),
    )
  }

  /** Reads what is stored. What another version of the page has stored waits for the person. */
  #parse(text: string | null): Outgoing<Body> | undefined {
    try {
      const read = JSON.parse(text ?? 'null')
      const isMessage = [read?.key, read?.conversationId, read?.createdAt].every(
        (each) => typeof each === 'string',
      )
      if (!isMessage || !read.body || !Array.isArray(read.attachments)) return undefined
      if (states.includes(read.state) && (read.state !== 'refused' || read.reason?.problem))
        return { dueAt: null, ...read }
      const { createdAt } = read
      const held = { state: 'held', reason: { code: 'old' }, mayHaveArrived: true }
      return { ...read, ...held, approvedAt: createdAt, dueAt: null, seenCount: 0 }
    } catch {
      return undefined
    }
  }
}
