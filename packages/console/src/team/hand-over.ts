import { ApiError, type Backline, type Conversation } from '@backline/sdk'

const notClosed = ['new', 'open', 'pending', 'on_hold', 'resolved'] as const

/** The conversations that an operator leaves behind. */
export const leftBy = (operatorId: string) => ({ assignee_id: operatorId, status: notClosed })

const mostPasses = 3
const atOnce = 4

export type Failure = { conversation: Conversation; error: unknown }

type HandOver = {
  fromId: string
  /** Null leaves the conversations to their departments. */
  toId: string | null
  /** Receives the number of conversations that were handed over. */
  onProgress(count: number): void
  signal: AbortSignal
}

/**
 * Hands the conversations of an operator over, each at the version that was read. Another pass follows for those that
 * somebody has changed or assigned meanwhile.
 * @returns those that the operator still has; it can be repeated
 */
export async function handOver(backline: Backline, work: HandOver): Promise<Failure[]> {
  const { fromId, toId, onProgress, signal } = work
  let count = 0
  for (let pass = 1; ; pass++) {
    const left: Conversation[] = []
    for await (const each of backline.conversations.list({ ...leftBy(fromId), limit: 100 }, { signal }))
      left.push(each)
    const failures: Failure[] = []
    const queue = left.values()
    let isStopped = false
    const worker = async () => {
      for (const conversation of queue) {
        if (isStopped) return
        try {
          const ifMatch = `"${conversation.version}"`
          await backline.conversations.assign(conversation.id, { assignee_id: toId }, { ifMatch, signal })
          onProgress(++count)
        } catch (error) {
          if (!(error instanceof ApiError)) {
            isStopped = true
            throw error
          }
          failures.push({ conversation, error })
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    const isFinal = failures.some(({ error }) => (error as ApiError).status !== 412)
    if (left.length === 0 || isFinal || pass === mostPasses) return failures
  }
}
