import { randomUUID } from 'node:crypto'
import { pause } from '@backline/sdk/retry.ts'
import type { Access } from '../access/access.ts'
import { CommandError } from '../errors.ts'
import { type Folder, openFolder, type Place, reasonIn } from './folder.ts'
import { checkMailbox, type Posted, postMail } from './posting.ts'
import type { Report } from './report.ts'

export type Fetching = Place & {
  access: Access
  /** Ends when each unseen mail was tried. */
  once: boolean
}

/** Without news from the server, which IDLE brings at once. */
const pollMs = 60_000
const [firstPauseMs, longestPauseMs] = [1_000, 60_000]
/** With --once, for the server of mail and for the API. */
const mostRetries = 4
/** Failures of the API at one mail, before the mail is taken to be the cause. */
const mostFailures = 3
const [firstSetAsideMs, longestSetAsideMs] = [60_000, 3_600_000]

/** Mails that could not be taken, and are not tried at each poll. */
class SetAside {
  #uids = new Map<number, { times: number; until: number }>()
  #generation = ''

  /** UIDs of another generation are those of other mails. */
  during(generation: string): this {
    if (generation !== this.#generation) this.#uids.clear()
    this.#generation = generation
    return this
  }

  add(uid: number): void {
    const times = (this.#uids.get(uid)?.times ?? 0) + 1
    const ms = Math.min(firstSetAsideMs * 2 ** (times - 1), longestSetAsideMs)
    this.#uids.set(uid, { times, until: performance.now() + ms })
  }

  remove(uid: number): void {
    this.#uids.delete(uid)
  }

  has(uid: number): boolean {
    return (this.#uids.get(uid)?.until ?? 0) > performance.now()
  }
}

/**
 * Delivers the unseen mails of a folder, one after another. A mail is marked only after the API has it, and delivered
 * under a key that is its own: whatever ends this process between two steps, the next one repeats the step.
 * @throws CommandError if it cannot go on, or with `once` if a server is away for too long
 */
export async function fetchMail(fetching: Fetching, report: Report, stop: AbortSignal): Promise<void> {
  const { access, mailboxId, once } = fetching
  const aside = new SetAside()
  const backOff = openBackOff(once, report, stop)
  /** The mail at which the connection was lost last: at the second time it may be the reason. */
  let lostAt: number | null = null
  for (;;) {
    const reason = await checkMailbox(access, mailboxId, stop)
    if (stop.aborted) return
    if (reason === null) break
    await backOff(`${access.url} cannot be asked: ${reason}`)
  }
  backOff.reset()
  while (!stop.aborted) {
    let folder: Folder | null = null
    try {
      folder = await openFolder(fetching, stop)
      report.opened(folder.name, access)
      do {
        const uids = await folder.unseen()
        backOff.reset()
        await deliverAll(folder, uids)
        if (once) return
        await folder.news(pollMs, stop)
      } while (!stop.aborted)
    } catch (error) {
      if (stop.aborted) return
      if (error instanceof CommandError) throw error
      await backOff(`${fetching.account.url}: ${reasonIn(error)}`)
    } finally {
      await folder?.close()
    }
  }

  async function deliverAll(folder: Folder, uids: number[]): Promise<void> {
    for (const uid of uids) {
      if (stop.aborted) return
      if (aside.during(folder.generation).has(uid)) continue
      try {
        await deliver(folder, uid)
      } catch (error) {
        if (!(error instanceof CommandError) && uid === lostAt) {
          aside.add(uid)
          report.refused(uid, 'the connection to the mail server was lost twice at it')
        }
        lostAt = uid
        throw error
      }
    }
  }

  async function deliver(folder: Folder, uid: number): Promise<void> {
    const posted = await posting(folder, uid)
    if (stop.aborted) return
    if (posted === null) {
      if (!(await folder.unseen()).includes(uid)) return
      aside.add(uid)
      return report.refused(uid, 'the mail server does not give its text')
    }
    backOff.reset()
    if (posted.kind !== 'taken') {
      aside.add(uid)
      report.refused(uid, posted.reason)
    } else if (await folder.finish(uid)) {
      aside.remove(uid)
      await report.taken(uid, posted)
    } else {
      aside.add(uid)
      report.refused(uid, `${posted.id} was made of it, but the mail server did not mark it`)
    }
  }

  /** Repeats the request until the API has answered. Null if there is no such mail, or if the signal aborts. */
  async function posting(folder: Folder, uid: number): Promise<Posted | null> {
    let key = folder.keyOf(uid)
    for (let failures = 0; ; ) {
      const mail = await folder.read(uid)
      if (!mail) return null
      const posted = await postMail(access, mailboxId, key, mail, stop)
      if (stop.aborted) return null
      if (
        posted.kind === 'refused' &&
        posted.code === 'idempotency_key_reused' &&
        key === folder.keyOf(uid)
      ) {
        // The server gave this UID to another mail, or shows the same one in other bytes: the API knows it by its text.
        key = randomUUID()
        continue
      }
      if (posted.kind === 'taken' || posted.kind === 'refused') return posted
      if (posted.kind === 'failed' && ++failures >= mostFailures) return posted
      await backOff(
        `${access.url} does not take mail: ${posted.reason}`,
        posted.kind === 'unavailable' ? posted.retryAfterMs : null,
      )
      if (stop.aborted) return null
    }
  }
}

type BackOff = { (reason: string, askedMs?: number | null): Promise<void>; reset(): void }

/** Waits longer after each failure in a row. @throws CommandError with `once`, after a few */
function openBackOff(once: boolean, report: Report, stop: AbortSignal): BackOff {
  let failures = 0
  const wait = async (reason: string, askedMs: number | null = null) => {
    if (once && failures >= mostRetries) throw new CommandError('unavailable', reason)
    const usual = Math.min(firstPauseMs * 2 ** failures++, longestPauseMs) * (0.5 + Math.random() / 2)
    report.waits(reason, askedMs ?? usual)
    await pause(askedMs ?? usual, stop).catch(() => undefined)
  }
  return Object.assign(wait, {
    reset: () => {
      failures = 0
    },
  })
}
