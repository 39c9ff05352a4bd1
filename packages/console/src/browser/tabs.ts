/*
 * The tabs of a browser that show the same page. One of them leads: it does what needs to be done only once.
 */

export type Member<Message> = {
  /**
   * Begins to lead.
   * @param post sends a message to the other tabs
   * @returns ends it
   */
  lead(post: (message: Message) => void): () => void
  /**
   * Returns what the leading tab answers to a tab that has joined, or that asks whether it is still there. Null hands
   * the lead over to the next tab.
   */
  state(): Message | null
  /** Called with each message of the leading tab. */
  onMessage(message: Message): void
}

/** The document of the tab. */
export type Page = EventTarget & { readonly hidden: boolean }

/** The timers of the tab. */
export type Timers = Pick<typeof globalThis, 'setInterval' | 'clearInterval' | 'setTimeout'>

const checkEveryMs = 5_000
/** The number of checks without a message of the leading tab after which a visible tab asks, and then takes over. */
const [silentUntilAsked, silentUntilReplaced] = [2, 5]

/**
 * Joins the tabs of this origin with the same name. The one that holds a lock leads. The browser gives the lock to the
 * next tab when the leading one is closed, crashes, or gives it up because the browser freezes it. A tab that is
 * suspended without a notice keeps the lock: a visible tab that gets no answer from it takes the lock away.
 *
 * Locks exist only in secure contexts. Without them each tab leads while it is visible, and does without messages.
 * @returns leaves the tabs
 */
export function joinTabs<Message>(
  name: string,
  member: Member<Message>,
  page: Page,
  timers: Timers,
): () => void {
  return 'locks' in navigator ? joinByLock(name, member, page, timers) : leadWhileVisible(member, page)
}

function leadWhileVisible<Message>(member: Member<Message>, page: Page): () => void {
  let stop: (() => void) | null = null
  const follow = () => {
    if (page.hidden) {
      stop?.()
      stop = null
    } else stop ??= member.lead(() => undefined)
  }
  follow()
  page.addEventListener('visibilitychange', follow)
  return () => {
    page.removeEventListener('visibilitychange', follow)
    stop?.()
  }
}

type Sent<Message> = { kind: 'ask' } | { kind: 'told'; message: Message }

function joinByLock<Message>(name: string, member: Member<Message>, page: Page, timers: Timers): () => void {
  const channel = new BroadcastChannel(name)
  const send = (sent: Sent<Message>) => channel.postMessage(sent)
  const tell = (message: Message) => send({ kind: 'told', message })
  let isLeading = false
  let silentChecks = 0
  let candidacy = new AbortController()

  /** Leads as soon as the lock is free, or at once. */
  function stand({ steal = false } = {}): void {
    candidacy.abort()
    const own = new AbortController()
    const { signal } = own
    candidacy = own
    const lead = () =>
      new Promise<void>((release) => {
        if (signal.aborted) return release()
        isLeading = true
        const stop = member.lead((message) => !signal.aborted && tell(message))
        signal.addEventListener('abort', () => {
          isLeading = false
          stop()
          release()
        })
      })
    navigator.locks.request(name, steal ? { steal } : { signal }, lead).catch(() => {
      // The tab has withdrawn, or another one has taken the lock.
      if (signal.aborted || !isLeading) return
      own.abort()
      stand()
      ask()
    })
  }

  function ask(): void {
    silentChecks = 0
    send({ kind: 'ask' })
  }
  const check = () => {
    // Checks are counted instead of time, so that a computer that wakes up waits for an answer first.
    silentChecks = isLeading || page.hidden ? 0 : silentChecks + 1
    if (silentChecks === silentUntilAsked) send({ kind: 'ask' })
    else if (silentChecks >= silentUntilReplaced) {
      silentChecks = 0
      stand({ steal: true })
    }
  }
  channel.onmessage = ({ data }: { data: Sent<Message> }) => {
    if (data.kind === 'told') {
      silentChecks = 0
      if (!isLeading) member.onMessage(data.message)
    } else if (isLeading) {
      const state = member.state()
      if (state) tell(state)
      else stand()
    }
  }
  const onVisible = () => !page.hidden && !isLeading && ask()
  const withdraw = () => candidacy.abort()
  const onResume = () => {
    stand()
    ask()
  }
  page.addEventListener('visibilitychange', onVisible)
  page.addEventListener('freeze', withdraw)
  page.addEventListener('resume', onResume)
  const timer = timers.setInterval(check, checkEveryMs)
  stand()
  ask()
  return () => {
    timers.clearInterval(timer)
    page.removeEventListener('visibilitychange', onVisible)
    page.removeEventListener('freeze', withdraw)
    page.removeEventListener('resume', onResume)
    withdraw()
    channel.close()
  }
}
