import { toInstant } from '../../../lib/clock.ts'
import type { Duty } from '../../../resource.ts'
import { conversations } from '../entity.ts'
import { duties } from '../lifecycle.ts'
import { stepped } from './keeping.ts'
import { nextAlarmAt } from './situation.ts'

const events = { warning: 'conversation.sla_warning', breach: 'conversation.sla_breached' } as const

/** A clock is to be warned of, or was breached. One at a time: each is an event of its own. */
export const slaAlarm: Duty = {
  name: duties.slaAlarm,
  subjects: conversations,
  async perform(change, conversationId) {
    const conversation = await change.find(conversations, conversationId)
    if (!conversation?.sla) return
    const { alarms, ...clocks } = stepped(conversation, conversation, change.now)
    const [alarm, ...later] = alarms
    const told = alarm
      ? change.update(conversations, conversation, { sla: { ...clocks, alarms: later } }, null)
      : conversation
    if (alarm) {
      const justBefore = { ...conversation, shown_at: toInstant(alarm.at - 1) }
      change.tell(conversations, told, events[alarm.kind], justBefore)
    }
    const next = nextAlarmAt(told)
    if (next !== null) change.schedule(duties.slaAlarm, conversationId, next)
  },
}
