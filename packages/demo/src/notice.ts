import type { Colleague, Desk } from './desk.ts'
import type { Actors, Work } from './fill.ts'

/**
 * Gives a colleague something to notice: of the newest open conversations, one mentions them, one becomes theirs, and
 * one that they follow is answered.
 * @param works those that were written now
 * @returns the number of messages that were written
 */
export async function giveNotice(works: Work[], desk: Desk, actors: Actors, to: Colleague): Promise<number> {
  const open = works
    .filter(({ plan, found }) => plan.outcome === 'open' && found)
    .sort((a, b) => b.plan.when - a.plan.when)
    .slice(0, 3)
  for (const [i, { plan, found }] of open.entries()) {
    const path = `/v1/conversations/${found!.id}`
    const operator = desk.operators.get(plan.operator!)!
    const { call } = actors.operator(plan)
    if (i === 0) {
      const text = `@${to.name}, how would you answer this?`
      const body = { author_side: 'operator', visibility: 'internal', body: text, mentions: [to.id] }
      await call('POST', `${path}/messages`, { body, operator })
    } else if (i === 1) await call('POST', `${path}/assign`, { body: { assignee_id: to.id }, operator })
    else {
      await call('PUT', `${path}/followers/${to.id}`, { operator })
      const body = { author_side: 'end_user', body: 'One more thing: when can I expect an answer?' }
      await actors.customer(plan).call('POST', `${path}/messages`, { body })
    }
  }
  return open.length < 3 ? Math.min(open.length, 1) : 2
}
