import type { ResultFault } from '../../jobs/queries.ts'
import type { RawLine, Unit } from './bucket.ts'
import {
  ConversationLine,
  faultsOfTimes,
  MessageLine,
  timesOfConversations,
  timesOfMessages,
} from './conversation-schema.ts'
import { faultsOfUrls } from './fetching.ts'
import { scopeOf } from './params.ts'
import { lacksScope, lineValidator } from './validating.ts'
import type { Work } from './work.ts'

/** Some lines of a conversation that are imported together: its messages from one index up to another. */
export type Slice = { unit: Unit; from: number; to: number }

export type Checked<Line> = { number: number; line: Line; faults: ResultFault[] }

const validateConversation = lineValidator(ConversationLine)
const validateMessage = lineValidator(MessageLine)

/** A line with all faults that no stored object is needed for. */
export async function checkedConversation(
  { ctx }: Work,
  { number, object }: RawLine,
): Promise<Checked<ConversationLine>> {
  const line = object as ConversationLine
  if (!ctx.principal.allows(scopeOf.conversation))
    return { number, line, faults: [lacksScope(scopeOf.conversation)] }
  const times = [
    ...faultsOfTimes(object, ctx.now(), timesOfConversations),
    ...faultsOfTimes((object.hold ?? {}) as Record<string, unknown>, ctx.now(), ['since'], '/hold'),
  ]
  return { number, line, faults: await validateConversation(object, ctx, times) }
}

export async function checkedMessage(
  { ctx }: Work,
  { number, object }: RawLine,
): Promise<Checked<MessageLine>> {
  const line = object as MessageLine
  if (!ctx.principal.allows(scopeOf.message)) return { number, line, faults: [lacksScope(scopeOf.message)] }
  const extra = [
    ...faultsOfTimes(object, ctx.now(), timesOfMessages),
    ...faultsOfUrls(object.attachments, ctx.services.webhookNetworks),
  ]
  return { number, line, faults: await validateMessage(object, ctx, extra) }
}
