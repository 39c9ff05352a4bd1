import type { Api } from './api.ts'
import type { Colleague, Desk } from './desk.ts'
import { isMessage, type Plan, type Step } from './plan.ts'

/** A conversation as a run finds it. */
export type Found = { id: string; messages: number; status: string }

export type Actors = {
  /** The programs that act for customers and for operators. */
  customer(plan: Plan): Api
  operator(plan: Plan): Api
  /** The operator who fills the desk, and has read what nobody waits for; null for none. */
  reader: Colleague | null
}

/** A conversation that is being written. */
export type Work = {
  readonly plan: Plan
  /** The steps that are still to be done. */
  steps: Step[]
  found: Found | null
}

/** Leaves out the messages that an earlier run has written. */
export function workOn(plan: Plan, found: Found | null): Work {
  if (!found) return { plan, steps: [...plan.steps], found }
  let written = found.messages - 1
  const steps = plan.steps.filter((step) => {
    if (isMessage(step)) return written-- <= 0
    return found.status !== 'closed' && !(step.kind === 'hold' && found.status === 'on_hold')
  })
  return { plan, steps, found }
}

export const isDone = ({ found, steps }: Work): boolean => found !== null && steps.length === 0

/** Creates the conversation if it does not exist, and does its next `count` steps. */
export async function proceed(work: Work, count: number, desk: Desk, actors: Actors): Promise<void> {
  work.found ??= await create(work.plan, desk, actors.customer(work.plan))
  for (const step of work.steps.splice(0, count)) await perform(work.found.id, step, work.plan, desk, actors)
  if (isDone(work) && actors.reader && work.plan.outcome !== 'new' && work.plan.outcome !== 'open')
    await actors
      .operator(work.plan)
      .call('POST', `/v1/conversations/${work.found.id}/mark_read`, { operator: actors.reader.id })
}

async function create(plan: Plan, desk: Desk, client: Api): Promise<Found> {
  const { person, channel, priority, subject, tags } = plan
  const company = person.company && desk.companies.get(person.company)
  await client.call('PUT', `/v1/end_users/external/${person.id}`, {
    body: {
      name: `${person.first} ${person.last}`,
      emails: [{ address: person.email, verified: true }],
      timezone: person.timezone,
      language: 'en',
      custom_fields: { plan: person.plan },
      ...(company && { company_ids: [company] }),
    },
  })
  const body = {
    external_user_id: person.id,
    external_id: plan.externalId,
    ...(company && { company_id: company }),
    channel,
    priority,
    subject,
    tags,
    language: 'en',
    department_id: desk.departments.get(plan.department),
    category_id: desk.categories.get(plan.category),
    ...(plan.operator === null ? {} : { assignee_id: desk.operators.get(plan.operator) }),
    metadata: { first_name: person.first, last_name: person.last },
    message: { body: plan.opening },
  }
  const idempotencyKey = plan.externalId
  const { id, status } = await client.call('POST', '/v1/conversations', { body, idempotencyKey })
  return { id, messages: 1, status }
}

async function perform(id: string, step: Step, plan: Plan, desk: Desk, actors: Actors): Promise<void> {
  const path = `/v1/conversations/${id}`
  const idempotencyKey = `${plan.externalId}/${plan.steps.indexOf(step)}`
  if (step.kind === 'customer') {
    const body = { author_side: 'end_user', body: step.body }
    await actors.customer(plan).call('POST', `${path}/messages`, { body, idempotencyKey })
    return
  }
  const operator = desk.operators.get(plan.operator!)!
  const { call } = actors.operator(plan)
  if (step.kind === 'hold') {
    const body = { hold_reason_id: desk.holdReasons.get(step.reason), note: step.note }
    await call('POST', `${path}/hold`, { body, operator, idempotencyKey })
  } else if (step.kind === 'close') await call('POST', `${path}/close`, { operator, idempotencyKey })
  else {
    const kind =
      step.kind === 'note'
        ? { visibility: 'internal', mentions: step.mentions.map((name) => desk.operators.get(name)) }
        : {}
    const status = step.kind === 'operator' && step.status ? { set_status: step.status } : {}
    const body = { author_side: 'operator', body: step.body, ...kind, ...status }
    await call('POST', `${path}/messages`, { body, operator, idempotencyKey })
  }
}
