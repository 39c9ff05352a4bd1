/**
 * The changes of a conversation happen one after the other, each on the version that the one before left. Queued
 * mutations of TanStack Query would wait until the tab has the focus again.
 */
const running = new Map<string, Promise<unknown>>()

export function inOrder<Result>(conversationId: string, run: () => Promise<Result>): Promise<Result> {
  const before = running.get(conversationId) ?? Promise.resolve()
  const done = before.then(run)
  running.set(
    conversationId,
    done.catch(() => undefined),
  )
  return done
}
