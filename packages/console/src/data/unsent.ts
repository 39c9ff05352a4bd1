import type { EnvironmentName } from './client.ts'
import type { Environment } from './environment.tsx'
import type { Session } from './session.ts'

/*
 * Texts that a person has written and not sent. The browser keeps them, apart for each operator and environment, so
 * that they survive a reload and the end of a session. Who signs out decides: others may use the same browser.
 */

const prefix = 'backline.unsent.'

/** The beginning of the names of messages that are to be sent. All others are drafts. */
export const outboxPrefix = 'outbox.'

/** The key of an unsent text in the storage of the browser. */
export const unsentKey = (
  { name, operator }: { name: EnvironmentName; operator: Pick<Environment['operator'], 'id'> },
  what: string,
): string => `${prefix}${name}.${operator.id}.${what}`

/** The keys of all unsent texts of a person, in both environments. */
function keysOf({ environments }: Session): { messages: string[]; drafts: string[] } {
  const [messages, drafts]: [string[], string[]] = [[], []]
  for (const name of ['live', 'test'] as const) {
    const membership = environments[name]
    if (!membership) continue
    const own = unsentKey({ name, operator: membership.operator }, '')
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(own + outboxPrefix)) messages.push(key)
      else if (key.startsWith(own)) drafts.push(key)
    }
  }
  return { messages, drafts }
}

export function countUnsent(session: Session): { messages: number; drafts: number } {
  const { messages, drafts } = keysOf(session)
  return { messages: messages.length, drafts: drafts.length }
}

export function removeUnsent(session: Session): void {
  const { messages, drafts } = keysOf(session)
  for (const key of [...messages, ...drafts]) localStorage.removeItem(key)
}
