import assert from 'node:assert/strict'
import { prefixOf, typeId, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { Service } from '../harness.ts'
import { Fixtures, getterOf, pathOf, readRoutes, resources } from './fixtures.ts'
import { type Sent, send, describe as show } from './http.ts'

/** A row of the journal. */
export type Event = {
  /** The id of the transaction that wrote it. */
  xmin: string
  type: string
  stream_id: string
  resource_type: string
  resource_id: string
  resource_version: number
  actor_type: string
  actor_id: string | null
  request_id: string | null
  idempotency_key: string | null
  /** JSON texts. */
  object: string
  previous: string
}

export type Shown = Record<string, unknown> & { version: number }

export const eventTypes = new Set(resources.flatMap((resource) => resource.events.map((event) => event.type)))

/** The event types whose object has some members only. */
const partial = new Map(
  resources.flatMap(({ events }) =>
    events.flatMap(({ type, members }): [string, readonly string[]][] => (members ? [[type, members]] : [])),
  ),
)

/** Fields that other objects determine: they change without a version and without an event (contract 6). */
const derived = [
  'last_used_at',
  'usage_count',
  'helpful_count',
  'unhelpful_count',
  'article_count',
  'open_conversations',
  'end_user_count',
  'consecutive_failures',
]
const bookkeeping = ['version', 'updated_at']

const without = (object: object, names: string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Types whose objects have no id: they are named after the object whose id they share. */
const withoutIds = ['follower', 'notification_preferences']

/** The name of an object among those that `everything` reads. */
export const nameOf = ({ type, id }: { type: string; id: string }): string =>
  withoutIds.includes(type) ? `${type}/${id}` : id

export const idOf = ({ resource_type: type, resource_id }: Event) =>
  nameOf({ type, id: typeId(prefixOf(type), resource_id) })

/** The former values of the fields that differ. */
function changed(before: Shown, after: Shown): Record<string, unknown> {
  const fields = Object.entries(without(before, [...derived, ...bookkeeping]))
  return Object.fromEntries(
    fields.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name])),
  )
}

/** Creates an environment, with functions that read everything in it. */
export async function environment(api: Service) {
  const world = await api.world()
  const { tenantId } = world.environments.test
  const fixtures = new Fixtures(api, world.test)
  await fixtures.operator() // reading everything needs one
  const journal = () =>
    api.db.rows<Event>(sql`select xmin::text, type, stream_id, resource_type, resource_id, resource_version, actor_type,
      actor_id, request_id, idempotency_key, object::text, previous::text from events where tenant_id = ${tenantId} order by epoch, events.position, ordinal`)

  /** The current response of GET; null if the resource is no longer shown. */
  async function shown(type: string, id: string): Promise<string | null> {
    if (type === 'follower') return null // a list shows it
    const getter = getterOf(type)
    assert.ok(getter, `No route shows a single ${type}: teach getterOf() in test/contract/fixtures.ts`)
    const [name = ''] = Object.keys(getter.params ?? {})
    const answer = await send(api, { method: 'GET', path: pathOf(getter, { [name]: id }), key: fixtures.key })
    assert.ok(answer.status === 200 || answer.status === 404, show(answer))
    return answer.status === 200 ? answer.text : null
  }

  /** All resources in the journal, and the singletons, by id. */
  async function everything(): Promise<Map<string, Shown | null>> {
    const texts = new Map<string, string | null>()
    for (const event of await journal()) texts.set(idOf(event), event.resource_type)
    for (const [id, type] of texts) texts.set(id, await shown(type!, id))
    for (const route of readRoutes.filter((each) => each.versionOf && !each.params)) {
      const { body, text } = await send(api, { method: 'GET', path: `/v1${route.path}`, key: fixtures.key })
      texts.set(body.id ?? `${body.object}/${body.operator_id}`, text)
    }
    return new Map([...texts].map(([id, text]) => [id, text === null ? null : JSON.parse(text)]))
  }
  return { world, fixtures, journal, shown, everything, tenantId }
}
export type Environment = Awaited<ReturnType<typeof environment>>

/** Asserts that an event contains exactly the former and the new state of this resource. */
export async function assertTells(
  event: Event,
  before: Map<string, Shown | null>,
  { shown }: Environment,
): Promise<void> {
  const id = idOf(event)
  const object: Shown = JSON.parse(event.object)
  const previous = JSON.parse(event.previous)
  const former = before.get(id)
  const now = await shown(event.resource_type, id)
  if (!withoutIds.includes(event.resource_type)) assert.equal(object.id, id)
  const members = partial.get(event.type)
  if (members) {
    assert.deepEqual(object, Object.fromEntries(members.map((name) => [name, former?.[name]])))
    assert.deepEqual(previous, {})
    return
  }
  assert.equal(object.object, event.resource_type)
  if (event.resource_type === 'follower') return assert.deepEqual(previous, {})
  assert.equal(event.resource_version, object.version)
  if (now === null && event.type.endsWith('.deleted')) {
    assert.deepEqual(object, former)
    assert.deepEqual(previous, {})
    return
  }
  if (now === null)
    assert.ok(['tag.merged', 'message.schedule_cancelled'].includes(event.type), event.type) // removed as well
  else
    assert.deepEqual(
      without(object, derived),
      without(JSON.parse(now), derived),
      'The snapshot is what GET shows',
    )
  if (event.type === 'message.schedule_cancelled') {
    assert.deepEqual(without(object, bookkeeping), without(former!, bookkeeping))
    assert.equal(object.version, former!.version + 1)
    assert.deepEqual(previous, {})
    return
  }
  if (former == null) {
    assert.match(event.type, /\.created$/)
    assert.equal(object.version, 1)
    assert.deepEqual(previous, {})
    return
  }
  assert.equal(object.version, former.version + 1)
  // The event of a redaction omits the erased text.
  const erased = former.redacted_at === null && object.redacted_at !== null ? ['body', 'body_html'] : []
  assert.deepEqual(without(previous, erased), without(changed(former, object), erased))
  for (const name of erased) assert.ok(!previous[name], event.previous)
}

/** Asserts that each resource with a new version, or without one, has an event of its own or of a part. */
export function assertNothingUntold(
  before: Map<string, Shown | null>,
  after: Map<string, Shown | null>,
  events: Event[],
): void {
  // The event of a message covers its conversation, whose counters it raises: it is in the same stream.
  const told = new Set(events.flatMap((event) => [event.resource_id, event.stream_id]))
  for (const [id, now] of after) {
    const former = before.get(id)
    // A file shows nothing of its uses, and those who use it tell of them.
    const isUsed = former?.object === 'file' && now && isSame(former, now)
    if (former?.version !== now?.version && !isUsed)
      assert.ok(told.has(uuidOfNamed(id)), `${id} changed untold`)
    else if (former && now && !isUsed)
      assert.deepEqual(without(now, derived), without(former, derived), 'No change without a version')
  }
}

const uuidOfNamed = (id: string): string => {
  const own = id.split('/').at(-1)!
  return uuidOf(own.split('_')[0]!, own)!
}

const isSame = (former: Shown, now: Shown): boolean =>
  JSON.stringify(without(former, bookkeeping)) === JSON.stringify(without(now, bookkeeping))

/** Asserts that the journal contains the resource of a response as it was sent, except secrets. */
export function assertAnswerIsTold(answer: Sent, events: Event[]): void {
  if (answer.body?.version === undefined) return
  const { id, object, operator_id } = answer.body
  const event = events.find((each) => idOf(each) === (id ?? `${object}/${operator_id}`))
  assert.ok(event, `${show(answer)} is not among ${events.map((each) => each.type)}`)
  const { secret: _, token: __, ...told } = answer.body
  if ('upload' in told) told.upload = null // the URL is as good as a secret
  if (told.object === 'invitation') told.url = null
  assert.deepEqual(JSON.parse(event.object), told)
}

/** Asserts that one transaction wrote the events and the idempotency key. */
export async function assertOneTransaction(
  api: Service,
  tenantId: string,
  events: Event[],
  key: string | null,
) {
  assert.equal(new Set(events.map((event) => event.xmin)).size, 1)
  if (key === null) return
  const rows = await api.db.rows<{ xmin: string }>(
    sql`select xmin::text from idempotency_keys where tenant_id = ${tenantId} and key = ${key}`,
  )
  assert.deepEqual(rows, [{ xmin: events[0]!.xmin }])
}
