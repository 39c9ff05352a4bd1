import { joinTabs, type Page, type Timers } from './tabs.ts'

/*
 * One event stream for all tabs of a browser: browsers allow six connections to a server that speaks HTTP/1.1.
 */

/** A stream as the SDK opens it. */
type Connection<Item> = AsyncIterable<Item> & {
  readonly cursor: string | null
  onConnectionChange: ((isConnected: boolean) => void) | undefined
}

export type Source<Item> = {
  /** @param after a position of this stream; null: the time of the connection */
  open(after: string | null, signal: AbortSignal): Connection<Item>
  /** The id of a stored item; null for an item that the stream sends only once. */
  idOf(item: Item): string | null
  /** Whether the error says that the position does not exist any more. */
  isCursorInvalid(error: unknown): boolean
  isSignedOut(error: unknown): boolean
}

export type Follower<Item> = {
  /** Called with each item once, in order. */
  onItem(item: Item): void
  onConnectionChange(isConnected: boolean): void
  /** This tab has missed items, or may have: what it shows has to be read again. */
  onGap(): void
  onSignedOut(): void
  /** This tab reads the stream for all tabs, or does so no longer. */
  onLeadChange(isLeading: boolean): void
}

/** The last stored item that a tab has received, and the position after it. */
type Position = { last: string | null; cursor: string | null }

type StateMessage = { kind: 'state'; isConnected: boolean } & Position
/** `after` is the stored item before it. */
type StoredMessage<Item> = {
  kind: 'stored'
  item: Item
  id: string
  after: string | null
  cursor: string | null
}
type Message<Item> =
  | StateMessage
  | StoredMessage<Item>
  | { kind: 'ephemeral'; item: Item }
  /** The stream could not be resumed: it was connected again without a position. */
  | { kind: 'restarted' }
  | { kind: 'signed_out' }

const pauseMs = 2_000
/** The number of items by which a new leading tab may be behind others, so that these recognize all of them. */
const mostRemembered = 2_000

/**
 * Follows a stream together with the other tabs of the same name. The leading tab reads it, and hands each item to the
 * others. Its successor resumes at the last item that it has received itself: items that another tab has received
 * before are recognized by their ids, and a tab that has missed one notices it by the id of the item before.
 * @returns stops following
 */
export function followTogether<Item>(
  name: string,
  page: Page,
  source: Source<Item>,
  follower: Follower<Item>,
  timers: Timers = globalThis,
): () => void {
  /** Null until this tab knows a position. */
  let position: Position | null = null
  let isConnected = false
  let isLeft = false
  const received = new Set<string>()

  function remember(id: string): void {
    received.add(id)
    if (received.size > mostRemembered) received.delete(received.values().next().value!)
  }
  function setConnected(next: boolean): void {
    if (next === isConnected) return
    isConnected = next
    follower.onConnectionChange(next)
  }

  function learn({ last, cursor, isConnected: next }: StateMessage): void {
    // A tab that has just begun to lead may be behind this one.
    const isAhead = last !== position?.last && last !== null && received.has(last)
    const hasGap = position !== null && last !== position.last && !isAhead
    if (!isAhead) position = { last, cursor: cursor ?? position?.cursor ?? null }
    if (last !== null) remember(last)
    setConnected(next)
    if (hasGap) follower.onGap()
  }

  function take({ item, id, after, cursor }: StoredMessage<Item>): void {
    if (received.has(id)) return
    const hasGap = position !== null && after !== position.last
    position = { last: id, cursor }
    remember(id)
    follower.onItem(item)
    if (hasGap) follower.onGap()
  }

  function receive(message: Message<Item>): void {
    if (isLeft) return
    const { kind } = message
    if (kind === 'state') learn(message)
    else if (kind === 'stored') take(message)
    else if (kind === 'ephemeral') follower.onItem(message.item)
    else if (kind === 'signed_out') follower.onSignedOut()
    else {
      position = null
      follower.onGap()
    }
  }

  /** The stream that this tab reads for all. It has a position before its first item. */
  let stream: Connection<Item> | null = null

  function positionNow(): Position {
    position = { last: position?.last ?? null, cursor: stream?.cursor ?? position?.cursor ?? null }
    return position
  }
  const state = (): Message<Item> => ({ kind: 'state', isConnected, ...positionNow() })

  async function read(post: (message: Message<Item>) => void, signal: AbortSignal): Promise<void> {
    // The other tabs first: an error of this one does not keep it from them.
    const share = (message: Message<Item>) => {
      post(message)
      receive(message)
    }
    while (!signal.aborted) {
      // Without a cursor, items may have passed since the tabs have read what they show: the first time, too.
      let hasGap = !position?.cursor
      const opened = source.open(position?.cursor ?? null, signal)
      stream = opened
      opened.onConnectionChange = (next) => {
        if (signal.aborted) return
        if (next && hasGap) {
          hasGap = false
          share({ kind: 'restarted' })
        }
        setConnected(next)
        post(state())
      }
      try {
        for await (const item of opened) {
          if (signal.aborted) return
          const id = source.idOf(item)
          if (id === null) share({ kind: 'ephemeral', item })
          else share({ kind: 'stored', item, id, after: position?.last ?? null, cursor: opened.cursor })
        }
      } catch (error) {
        if (signal.aborted) return
        if (source.isSignedOut(error)) share({ kind: 'signed_out' })
        if (source.isCursorInvalid(error)) position = { last: position?.last ?? null, cursor: null }
        else positionNow()
      }
      stream = null
      await new Promise((resolve) => timers.setTimeout(resolve, pauseMs))
    }
  }

  const leave = joinTabs<Message<Item>>(
    name,
    {
      lead(post) {
        const stop = new AbortController()
        setConnected(false)
        if (position) post(state()) // shows the others whether they have missed an item
        follower.onLeadChange(true)
        void read(post, stop.signal)
        return () => {
          stop.abort()
          stream = null
          setConnected(false)
          follower.onLeadChange(false)
        }
      },
      // Browsers slow down the timers of hidden tabs: another one connects sooner.
      state: () => (page.hidden && !isConnected ? null : state()),
      onMessage: receive,
    },
    page,
    timers,
  )
  return () => {
    isLeft = true
    leave()
  }
}
