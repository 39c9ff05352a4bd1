import assert from 'node:assert/strict'
import { send, type Write, walk } from '../load.ts'
import { Random } from '../random.ts'

/*
 * Checks that one order of a conversation's messages explains all reads and agrees with real time. That is
 * linearizability (Herlihy and Wing 1990), which is cheap to check here: `sequence` is the order.
 */

/** Facts known of conversations: no later read may show less than earlier reads or acknowledgements. */
export type Knowledge = {
  /** The minimum number of messages of a conversation. */
  readonly atLeast: Map<string, number>
  /** Messages that a read has shown, with their sequences. */
  readonly seen: Map<string, number>
  learn(conversationId: string, messageCount: number): void
  /** Reads that contradict known facts. */
  readonly contradictions: string[]
}

export function newKnowledge(): Knowledge {
  const atLeast = new Map<string, number>()
  return {
    atLeast,
    seen: new Map(),
    contradictions: [],
    learn: (id, count) => void atLeast.set(id, Math.max(count, atLeast.get(id) ?? 0)),
  }
}

/** For loads: an acknowledged message is known from then on. */
export const learnFrom = (knowledge: Knowledge) => (write: Write) => {
  if (write.kind !== 'message') return
  const { conversation_id, sequence } = JSON.parse(write.acknowledged!.body)
  knowledge.learn(conversation_id, sequence)
}

type Reader = { reads: number; stop(): Promise<void> }

/** Reads conversations repeatedly, and compares each read with the facts known when it began. */
export function startReader(
  url: string,
  apiKey: string,
  name: string,
  conversations: string[],
  knowledge: Knowledge,
): Reader {
  const random = new Random(name)
  let isOver = false
  const reader = {
    reads: 0,
    stop: () => {
      isOver = true
      return running
    },
  }

  async function readOnce(id: string): Promise<void> {
    const known = knowledge.atLeast.get(id) ?? 0
    const count = random.chance(0.5) ? await countOf(id) : await newestOf(id)
    if (count === null) return
    reader.reads++
    if (count < known)
      knowledge.contradictions.push(`${name}: ${id} had ${known} messages and shows ${count}`)
    knowledge.learn(id, count)
  }

  async function countOf(id: string): Promise<number | null> {
    const { status, text } = await send(url, apiKey, 'GET', `/v1/conversations/${id}`)
    return status === 200 ? JSON.parse(text).message_count : null
  }

  async function newestOf(id: string): Promise<number | null> {
    const path = `/v1/conversations/${id}/messages?limit=20&sort=-sequence`
    const { status, text } = await send(url, apiKey, 'GET', path)
    if (status !== 200) return null
    const messages: { id: string; sequence: number }[] = JSON.parse(text).data
    for (const message of messages) knowledge.seen.set(message.id, message.sequence)
    return messages[0]?.sequence ?? 0
  }

  const running = (async () => {
    while (!isOver) await readOnce(random.pick(conversations)).catch(() => undefined) // the server is being killed
  })()
  return reader
}

/** Asserts that the order of messages agrees with real time and with all reads. */
export async function assertLinear(
  url: string,
  apiKey: string,
  conversations: string[],
  writes: Write[],
  knowledge: Knowledge,
): Promise<void> {
  assert.deepEqual(knowledge.contradictions, [])
  const byMark = new Map(writes.map((write) => [write.mark, write]))
  const sequences = new Map<string, number>()
  for (const id of conversations) {
    const messages = await walk(url, apiKey, `/v1/conversations/${id}/messages?sort=sequence`)
    for (const message of messages) sequences.set(message.id as string, message.sequence as number)
    assert.ok(messages.length >= (knowledge.atLeast.get(id) ?? 0), `${id} has lost messages`)
    assertRealTime(messages.map((message) => byMark.get(message.body as string)!))
  }
  for (const [id, sequence] of knowledge.seen) assert.equal(sequences.get(id), sequence, `${id} was shown`)
}

/** Asserts that a message acknowledged before another one was sent precedes it. */
export function assertRealTime(inOrder: Write[]): void {
  let earliest = Number.POSITIVE_INFINITY
  for (const write of inOrder.toReversed()) {
    assert.ok(write.sentAt! <= earliest, `${write.mark} was sent when a later one had been acknowledged`)
    earliest = Math.min(earliest, write.answeredAt!)
  }
}
