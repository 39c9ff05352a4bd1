import type { Desk } from '@backline/demo/desk.ts'
import { type Actors, type Found, isDone, proceed, type Work, workOn } from '@backline/demo/fill.ts'
import { giveNotice } from '@backline/demo/notice.ts'
import { isMessage, type Plan } from '@backline/demo/plan.ts'
import { randomOf } from '@backline/demo/random.ts'
import type { Access } from '../access/access.ts'
import type { Client } from '../api/client.ts'
import { progressOf } from '../progress.ts'
import { openKeys } from './keys.ts'

export type Written = {
  /** Conversations that were created, and that existed before. */
  conversations: number
  existing: number
  messages: number
  /** How far the test clock was advanced. */
  advanced_days: number
}

type Run = {
  /** With the key of the user. */
  own: Client
  access: Access
  stop: AbortSignal
  days: number
}

const atOnce = 24
const slotsPerDay = 12
const slotSeconds = 86_400 / slotsPerDay

/** Writes what is missing of the conversations, oldest first. @throws CommandError when it is stopped */
export async function writeConversations(
  plans: Plan[],
  found: Map<string, Found>,
  desk: Desk,
  { own, access, stop, days }: Run,
): Promise<Written> {
  const works = plans
    .map((plan) => workOn(plan, found.get(plan.externalId) ?? null))
    .filter((work) => !isDone(work))
    .sort((a, b) => a.plan.when - b.plan.when)
  const created = works.filter((work) => work.found === null)
  const conversations = created.length
  const messages = works.reduce((sum, { steps }) => sum + steps.filter(isMessage).length, conversations)
  // What an earlier run has left is not history any more.
  const advancedDays = conversations === plans.length ? days : 0
  const written = {
    conversations,
    existing: plans.length - conversations,
    messages,
    advanced_days: advancedDays,
  }
  if (works.length === 0) return { ...written, advanced_days: 0 }

  const keys = await openKeys(access, stop)
  const progress = progressOf(works.length, 'conversations')
  try {
    const reader = desk.others.find(({ role }) => role === 'admin') ?? null
    const actors = actorsOf(keys.clients, reader)
    await writeAll(works, desk, actors, own, advancedDays, progress.step)
    if (reader) written.messages += await giveNotice(created, desk, actors, reader)
  } finally {
    progress.end()
    await keys.revoke()
  }
  return written
}

function actorsOf(clients: Client[], reader: Actors['reader']): Actors {
  const [chat, mail, desk, mobileDesk] = clients
  return {
    reader,
    customer: ({ channel }) => (channel === 'email' ? mail : chat) ?? clients[0]!,
    operator: ({ when }) => (Math.floor(when * 1_000) % 2 === 0 ? desk : mobileDesk) ?? clients[0]!,
  }
}

/** Without days, each conversation at once; otherwise a part of each in every two hours, then the clock moves on. */
async function writeAll(
  works: Work[],
  desk: Desk,
  actors: Actors,
  own: Client,
  days: number,
  done: () => void,
): Promise<void> {
  const slots = Math.max(1, days * slotsPerDay)
  let waiting = works
  for (let slot = 0; slot < slots; slot++) {
    const isLast = slot === slots - 1
    const due = waiting.filter(({ plan }) => Math.floor(plan.when * slots) <= slot)
    await inParallel(due, async (work) => {
      const count = isLast ? work.steps.length : stepsInSlot(work, slot)
      await proceed(work, count, desk, actors)
      if (isDone(work)) done()
    })
    waiting = waiting.filter((work) => !isDone(work))
    if (days > 0) await advance(own, slotSeconds)
  }
}

/** Most chats are over at once; the rest takes some slots. */
function stepsInSlot({ plan, steps }: Work, slot: number): number {
  const random = randomOf(`${plan.externalId}/${slot}`)
  if (plan.channel === 'chat' && random.chance(0.85)) return steps.length
  return Number(random.weighted({ 0: 20, 1: 25, 2: 25, 3: 15, 4: 15 }))
}

/** The clock can stop on the way, if much is due. */
async function advance({ call }: Client, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; ) {
    const clock = await call('POST', '/v1/test_clock/advance', { body: { seconds: left }, timeoutMs: 60_000 })
    left = clock.remaining_seconds
  }
}

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values()
  let failure: { error: unknown } | null = null
  const worker = async () => {
    for (const item of rest) {
      if (failure) return
      await work(item).catch((error) => {
        failure ??= { error }
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failure) throw (failure as { error: unknown }).error
}
