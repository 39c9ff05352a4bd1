import { type Api, itemsOf } from '@backline/demo/api.ts'
import { type Colleague, setUpDesk } from '@backline/demo/desk.ts'
import { type Actors, type Found, isDone, proceed, type Work, workOn } from '@backline/demo/fill.ts'
import { setUpMail } from '@backline/demo/mail.ts'
import { giveNotice } from '@backline/demo/notice.ts'
import { externalIdOf, planOf } from '@backline/demo/plan.ts'
import storiesFile from '@backline/demo/stories.json?url'
import type { Story } from '@backline/demo/stories.ts'
import type { Backline } from '@backline/sdk'
import { readDataFile } from '../browser/data-file.ts'
import { apiWith } from './api.ts'

const seed = '1'
const conversations = 300
const atOnce = 8
/** The rate limit counts for each key. */
const keys = 3
const keyLifetimeMs = 3_600_000

export type Progress = { done: number; total: number }

/**
 * Creates a desk with conversations in the test environment, with keys that exist for this time only.
 * @param operator has read most of it, and is notified of some
 * @throws what the server refuses; the reason of the signal when it is aborted
 */
export async function fillTestEnvironment(
  backline: Backline,
  operator: Colleague,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const created = await Promise.all(
    Array.from({ length: keys }, (_, i) =>
      backline.apiKeys.create({
        name: `Demo ${i + 1}`,
        scopes: ['*'],
        expires_at: new Date(Date.now() + keyLifetimeMs).toISOString(),
      }),
    ),
  )
  try {
    await fill(
      created.map(({ secret }) => apiWith(secret, signal)),
      operator,
      onProgress,
    )
  } finally {
    await Promise.allSettled(created.map(({ id }) => backline.apiKeys.revoke(id)))
  }
}

async function fill(
  clients: Api[],
  operator: Colleague,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const stories = await readDataFile<Story[]>(storiesFile)
  const desk = await setUpDesk(clients[0]!)
  await setUpMail(clients[0]!, desk)
  const found = await findConversations(clients[0]!)
  const works = Array.from({ length: conversations }, (_, index) => planOf(seed, index, stories))
    .map((plan): Work => workOn(plan, found.get(plan.externalId) ?? null))
    .filter((work) => !isDone(work))
  const clientOf = ({ when }: { when: number }) => clients[Math.floor(when * 1_000) % clients.length]!
  const actors: Actors = { customer: clientOf, operator: clientOf, reader: operator }
  const created = works.filter(({ found }) => found === null)
  let done = conversations - works.length
  onProgress({ done, total: conversations })
  const rest = works.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const work of rest) {
        await proceed(work, work.steps.length, desk, actors)
        onProgress({ done: ++done, total: conversations })
      }
    }),
  )
  await giveNotice(created, desk, actors, operator)
}

/** The conversations of earlier runs, by their external id. */
async function findConversations(api: Api): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const prefix = externalIdOf(seed, 0).slice(0, -1)
  for await (const { id, external_id, message_count, status } of itemsOf(api, '/v1/conversations'))
    if (external_id?.startsWith(prefix)) found.set(external_id, { id, messages: message_count, status })
  return found
}
