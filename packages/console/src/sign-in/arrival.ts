import { readStored, writeStored } from '../browser/stored.ts'
import type { EnvironmentName } from '../data/client.ts'
import type { Session } from '../data/session.ts'
import { isStartClosed } from '../get-started/closed.ts'

/*
 * Where somebody arrives who signs in: at the page that they had asked for, which the browser keeps meanwhile, also for
 * a link that opens in another tab.
 */

const returnTo = 'backline.return_to'
const signedIn = 'backline.signed_in'
/** After this, a person begins anew. */
const keptMs = 3_600_000

type Kept = { path: string; atMs: number }

/** Keeps the page that the address names, while somebody has to sign in. */
export function keepPage(path: string): void {
  const named = /^\/(live|test)\//.test(path) ? path : (kept()?.path ?? '')
  writeStored(returnTo, JSON.stringify({ path: named, atMs: Date.now() } satisfies Kept))
}

function kept(): Kept | null {
  try {
    const stored: Kept | null = JSON.parse(readStored(returnTo) ?? 'null')
    return stored && Date.now() - stored.atMs < keptMs ? stored : null
  } catch {
    return null
  }
}

/**
 * The page to open once somebody has signed in, without the name of one in the address: the one that was kept, or the
 * first steps, until they are closed. Null if nobody has just signed in.
 * @param fallback the environment to open
 */
export function takeArrival({ environments }: Session, fallback: EnvironmentName): string | null {
  const arrival = kept()
  writeStored(returnTo, null)
  if (!arrival) return null
  const [, name] = arrival.path.split('/')
  if (name && environments[name as EnvironmentName]) return arrival.path
  return isStartClosed(environments[fallback]!.operator) ? null : `/${fallback}/get_started`
}

/** Notes that somebody has a session in this browser; null after they have signed out. */
export const noteSession = (has: true | null): void => void writeStored(signedIn, has && 'true')

/** Whether a session has ended by itself: nobody has signed out. */
export const hasSessionEnded = (): boolean => readStored(signedIn) !== null
