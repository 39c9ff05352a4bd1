import type { Alarm } from '../../../lib/sla/clocks.ts'
import type { Duty } from '../../../resource.ts'
import { conversations } from '../entity.ts'
import { duties } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'
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
    if (alarm) change.tell(conversations, told, events[alarm.kind], without(alarm, told))
    const next = nextAlarmAt(told)
    if (next !== null) change.schedule(duties.slaAlarm, conversationId, next)
  },
}

/** Of several that are due at once, or are told of late, readers know one from another by what was not yet so. */
function without({ clock, kind }: Alarm, conversation: Conversation): Conversation {
  const sla = conversation.sla!
  const happened = kind === 'breach' ? { breached_at: null } : { warned_at: null }
  return { ...conversation, sla: { ...sla, [clock]: sla[clock] && { ...sla[clock], ...happened } } }
}
