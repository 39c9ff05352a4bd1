import { setUpDesk } from '@backline/demo/desk.ts'
import type { Found } from '@backline/demo/fill.ts'
import { setUpMail } from '@backline/demo/mail.ts'
import { externalIdOf, planOf } from '@backline/demo/plan.ts'
import { stories } from '@backline/demo/stories.ts'
import { invocation } from '@backline/server/compose/invocation.ts'
import { accessOf, accessOptions } from './access/access.ts'
import { type Client, openClient } from './api/client.ts'
import { itemsOf } from './api/items.ts'
import { defineCommand } from './command.ts'
import { type Written, writeConversations } from './demo/write.ts'
import { UsageError } from './errors.ts'
import { whileShowing } from './progress.ts'
import { untilStopped } from './stop.ts'
import { requireTestEnvironment } from './test-environment.ts'
import { counted } from './text.ts'

const [usualConversations, mostConversations] = [2_000, 100_000]
const mostDays = 365

export const command = defineCommand({
  description: `Creates departments, operators, categories, tags, hold reasons, SLA configs, templates, macros, articles, \
FAQs, end users, a mailbox with a few mails and conversations of an invented company, by the API alone. The same seed gives the same desk. A second run \
creates what is missing and nothing twice. Live keys are refused. The key needs the scope *, or those of the objects and workspace:write; \
with api_keys:write, four more keys are created for the time of the run, because the rate limit counts for each key.

All conversations are created now. With --days, the clock of the test environment is advanced while they are \
created, so that they have a history, with missed deadlines and expired holds. The clock cannot be set back: it stays \
that many days ahead, also for everything else in the environment.`,
  options: {
    ...accessOptions,
    conversations: { value: 'N', summary: `The number of conversations (default: ${usualConversations})` },
    seed: { value: 'TEXT', summary: 'Another seed gives other conversations (default: 1)' },
    days: { value: 'N', summary: 'Advance the test clock by so many days on the way (default: 0)' },
  },
  async run({ options, environment }) {
    const count = wholeNumber('--conversations', options.conversations, usualConversations, mostConversations)
    const days = wholeNumber('--days', options.days, 0, mostDays)
    const seed = options.seed ?? '1'
    if (!/^[\w.-]{1,32}$/.test(seed))
      throw new UsageError('--seed must be 1 to 32 letters, digits, dots, dashes and underscores', 'demo')
    const access = await accessOf('demo', options, environment)
    requireTestEnvironment('demo', access)
    const startedAt = performance.now()
    const { created, ...written } = await untilStopped(async (stop) => {
      const own = openClient(access, stop)
      const desk = await whileShowing('Setting up the desk …', () => setUpDesk(own))
      const mail = await whileShowing('Receiving mail …', () => setUpMail(own, desk))
      const found = await whileShowing('Looking for conversations …', () => findConversations(own, seed))
      const plans = Array.from({ length: count }, (_, index) => planOf(seed, index, stories))
      return {
        created: desk.created + mail,
        ...(await writeConversations(plans, found, desk, { own, access, stop, days })),
      }
    })
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const json = { object: 'demo', seed, ...written, objects: created, seconds, url: access.url }
    return { json, text: summary(json) }
  },
})

function wholeNumber(option: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text)
  const detail = `must be a whole number from 0 to ${most}, not ${JSON.stringify(text)}`
  throw new UsageError(`${option} ${detail}`, 'demo', [{ argument: option, code: 'bad_format', detail }])
}

/** The conversations of earlier runs with the seed, by their external id. */
async function findConversations(client: Client, seed: string): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const prefix = externalIdOf(seed, 0).slice(0, -1)
  for await (const { id, external_id, message_count, status } of itemsOf(client, '/v1/conversations'))
    if (external_id?.startsWith(prefix)) found.set(external_id, { id, messages: message_count, status })
  return found
}

type Result = Written & { seed: string; objects: number; seconds: number; url: string }

function summary({ conversations, existing, messages, objects, seconds, seed, ...rest }: Result): string {
  const desk = objects > 0 ? `, and ${counted(objects, 'other object')} of the desk` : ''
  const before =
    existing > 0 ? `\n${counted(existing, 'conversation')} of the seed ${seed} existed already` : ''
  if (conversations + messages + objects === 0)
    return `Nothing to do: all ${counted(existing, 'conversation')} of the seed ${seed} exist already`
  const clock =
    rest.advanced_days > 0 ? `\nThe test clock was advanced by ${counted(rest.advanced_days, 'day')}` : ''
  const total = `${counted(conversations, 'conversation')} with ${counted(messages, 'message')}`
  return `Created ${total}${desk}, in ${seconds} s${before}${clock}
To look around: ${invocation} api get 'conversations?status=open'`
}
