import type { EventFilters, PlacedEvent } from '../../../../platform/journal/event-filters.ts'
import { type Instant, toUnixMs } from '../../../../platform/kernel/clock.ts'
import { nameKey } from '../../../../platform/kernel/names.ts'
import { leavesOf, readFilter } from '../../../../platform/lists/filter.ts'
import { meets } from '../../../../platform/lists/judge.ts'
import { scopesOf } from '../../../../platform/lists/reading.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import {
  anyDefinitions,
  type Definitions,
  definitionsOf,
} from '../../../properties/custom-fields/definitions.ts'
import { shownValues } from '../../../properties/custom-fields/values/shown.ts'
import { followerIdsOf } from '../followers/queries.ts'
import { type Conversation, conversationTable } from '../queries.ts'
import { conversationWire } from '../schema.ts'
import {
  companiesOfEvents,
  type EventOfConversation,
  eventsOfConversations,
  namesakesOfTags,
  peopleOfEvents,
  type Shown,
} from './events.ts'
import { conversationFields } from './fields.ts'
import { clocksOf, type Judged, uuidIn, valuesIn } from './judged.ts'

/*
 * A filter judges an event by the conversation at that moment. An event of a conversation contains it. An event of a
 * message is judged by the last event of its conversation up to then: each change of a status, assignment or other
 * field has one. A message changes without one: the number and time of messages and `updated_at`, which the events of
 * messages tell, and the SLA clocks. Filters that name these read the row of the conversation, which is exact unless it
 * has changed since; the clocks are then those of the last event, advanced to the time of the message.
 *
 * Events contain neither followers, nor addresses and custom fields of people and companies. These, and the names of what was merged,
 * are read as they are when the event is sent.
 */

/** The objects in memory at once. */
const atOnce = 100

const whyNoMe = 'must not be me in the filter of a webhook endpoint, which no operator reads'
const readNew = (json: unknown, definitions: Definitions) =>
  readFilter(json, { fields: conversationFields(definitions), me: null, whyNoMe })

export const conversationEventFilters: EventFilters = {
  concerns: (type) => type.startsWith('conversation.') || type.startsWith('message.'),

  faultsIn(json) {
    const read = readNew(json, anyDefinitions)
    return 'faults' in read ? read.faults : []
  },

  async check(db, tenantId, json) {
    const read = readNew(json, await definitionsOf(db, tenantId))
    return 'faults' in read
      ? { faults: read.faults, scopes: [] }
      : { faults: [], scopes: scopesOf(read.filter) }
  },

  async passing(db, tenantId, all, events) {
    const fields = conversationFields(await definitionsOf(db, tenantId))
    const filters = all.map((json) => {
      const read = readFilter(json, { fields, me: null })
      return 'filter' in read ? read.filter : null
    })
    const passed = filters.map((filter) => new Set(filter ? [] : events.map(({ id }) => id)))
    const named = new Set(
      filters.flatMap((filter) => (filter ? leavesOf(filter) : [])).map(({ field }) => field),
    )
    for (let i = 0; i < events.length && named.size > 0; i += atOnce) {
      const states = await statesAt(db, tenantId, events.slice(i, i + atOnce), named)
      const completed = await completing(db, tenantId, states, named)
      for (const { id, at, shown } of states) {
        const values = shown && valuesIn(completed(shown, at))
        filters.forEach((filter, n) => {
          if (filter && (!values || meets(filter, values, toUnixMs(at)))) passed[n]!.add(id)
        })
      }
    }
    return passed
  },
}

/** An event, and the conversation at its time; null if nothing is known of it. */
type State = { id: string; at: Instant; shown: Shown | null }

type Named = ReadonlySet<string>

async function statesAt(
  db: Db,
  tenantId: string,
  events: readonly PlacedEvent[],
  named: Named,
): Promise<State[]> {
  const found = await eventsOfConversations(db, tenantId, events)
  const namesClocks = named.has('sla.status') || named.has('sla.due_at')
  const needed = found.filter(({ is_message, shown }) => shown === null || (is_message && namesClocks))
  const ids = [...new Set(needed.map(({ conversation_id }) => conversation_id))]
  const rows = ids.length === 0 ? [] : await conversationTable.findMany(db, tenantId, ids)
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return found.map((event) => {
    const shown = shownAt(event, rowById.get(event.conversation_id))
    return { id: event.id, at: event.created_at, shown }
  })
}

function shownAt(event: EventOfConversation, row: Conversation | undefined): Shown | null {
  const { created_at: at, is_message, sequence, message_at, public_at } = event
  if (!is_message) return event.shown
  const present = row ? conversationWire.present(row, at) : null
  if (row && row.updated_at <= at) return present
  const shown = event.shown ?? present
  if (shown === null || message_at === null) return shown
  return {
    ...shown,
    message_count: Math.max(Number(shown.message_count), sequence!),
    last_message_at: public_at === null ? shown.last_message_at : latest(shown.last_message_at, public_at),
    updated_at: latest(shown.updated_at, message_at),
  }
}

const latest = (one: unknown, other: Instant): Instant =>
  typeof one === 'string' && one > other ? one : other

/** Reads what the filters name and events do not have. */
async function completing(
  db: Db,
  tenantId: string,
  states: State[],
  named: Named,
): Promise<(shown: Shown, at: Instant) => Judged> {
  const names = [...named]
  const membersOf = (member: string): unknown[] => states.flatMap(({ shown }) => shown?.[member] ?? [])
  const idsIn = (member: string, prefix: string) => [
    ...new Set(membersOf(member).flatMap((id) => uuidIn(id, prefix) ?? [])),
  ]
  const ofPeople = names.some((name) => name.startsWith('end_user.') || personalIds.includes(name))
  const people = ofPeople ? idsIn('end_user_id', 'eu') : []
  const companies = names.some((name) => name.startsWith('company.')) ? idsIn('company_id', 'co') : []
  const tags = named.has('tags') ? [...new Set(membersOf('tags').map((name) => nameKey(String(name))))] : []
  const followed = named.has('follower_ids') ? idsIn('id', 'conv') : []
  const [foundPeople, foundCompanies, foundTags, foundFollowers] = await Promise.all([
    people.length === 0 ? [] : peopleOfEvents(db, tenantId, people),
    companies.length === 0 ? [] : companiesOfEvents(db, tenantId, companies),
    tags.length === 0 ? [] : namesakesOfTags(db, tenantId, tags),
    followed.length === 0 ? [] : followerIdsOf(db, tenantId, followed),
  ])
  const byKey = Map.groupBy(foundTags, ({ key }) => key)
  const personById = new Map(foundPeople.map((person) => [person.named, person]))
  const companyById = new Map(foundCompanies.map(({ id, custom_fields }) => [id, shownValues(custom_fields)]))
  const namesakes = new Map([...byKey].map(([key, each]) => [key, each.map(({ name }) => name)]))
  const followersById = new Map(foundFollowers.map((each) => [each.conversation_id, each.operator_ids]))
  return (shown, at) => ({
    shown,
    followers: followersById.get(uuidIn(shown.id, 'conv') ?? '') ?? [],
    person: personById.get(uuidIn(shown.end_user_id, 'eu') ?? ''),
    company: companyById.get(uuidIn(shown.company_id, 'co') ?? ''),
    namesakes,
    clocks: clocksOf(shown, at),
  })
}

const personalIds = ['end_user_id', 'external_user_id']
