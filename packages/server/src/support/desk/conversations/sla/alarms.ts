import type { Job } from '../../../../platform/resource/resource.ts'
import { conversations } from '../entity.ts'
import { jobs } from '../lifecycle.ts'
import type { Conversation, UntoldAlarm } from '../queries.ts'
import { nextAlarmAt } from '../sla-situation.ts'
import { stepped } from './update-clocks.ts'

const events = { warning: 'conversation.sla_warning', breach: 'conversation.sla_breached' } as const

/** Writes the event of a warning or breach. Each alarm is an event of its own, so it handles one at a time. */
export const slaAlarm: Job = {
  name: jobs.slaAlarm,
  subjects: conversations,
  async perform(change, conversationId) {
    const conversation = await change.rows.find(conversations, conversationId)
    if (!conversation?.sla) return
    const { alarms, ...clocks } = stepped(conversation, conversation, change.now)
    const [alarm, ...later] = alarms
    let told = conversation
    if (alarm) {
      told = change.rows.update(conversations, conversation, { sla: { ...clocks, alarms: later } }, null)
      const shown = asOf(alarm, told)
      change.rows.addEvent(conversations, told, events[alarm.kind], without(alarm, shown), shown)
    }
    const next = nextAlarmAt(told)
    if (next !== null) change.jobs.schedule(jobs.slaAlarm, conversationId, next)
  },
}

/** A late event shows its clock in the earlier state. */
function asOf({ clock, then }: UntoldAlarm, conversation: Conversation): Conversation {
  return then ? { ...conversation, sla: { ...conversation.sla!, [clock]: then } } : conversation
}

/** `previous` without this alarm: it identifies the event among several alarms. */
function without({ clock, kind }: UntoldAlarm, conversation: Conversation): Conversation {
  const sla = conversation.sla!
  const happened = kind === 'breach' ? { breached_at: null } : { warned_at: null }
  return { ...conversation, sla: { ...sla, [clock]: sla[clock] && { ...sla[clock], ...happened } } }
}
