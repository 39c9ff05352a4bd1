import { setTimeout as sleep } from 'node:timers/promises'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import type pg from 'pg'
import {
  appointExpiries,
  fillDesk,
  holdConversations,
  makeEnvironments,
  spreadConversations,
} from './desk-data.ts'
import type { Load, Loads, Measured, Target } from './load.ts'

const size = { departments: 50, operators: 500, tags: 2_000 }
const held = { environments: 5, conversations: 50_000 }
const heldSize = { departments: 10, operators: 100, tags: 0 }
/** Each conversation has a macro applied once: every run uses its own, more than it can process. */
const macroConversations = { all: 100_000, perRun: 15_000 }

/** Adds a desk to an environment with conversations. @returns its loads */
export async function prepareDesk(client: pg.Client, target: Target, tenantId: string): Promise<Loads> {
  await fillDesk(client, tenantId, size)
  await spreadConversations(client, tenantId)
  const ids = async (table: string, prefix: 'dept' | 'op') => {
    const { rows } = await client.query(`select id from ${table} where tenant_id = $1 order by id`, [
      tenantId,
    ])
    return rows.map(({ id }) => typeId(prefix, id as string))
  }
  const departments = await ids('departments', 'dept')
  const [operator] = await ids('operators', 'op')
  const create = (members: object[]) => (): Load => ({
    method: 'POST',
    paths: ['/v1/conversations'],
    bodies: members.map((each) =>
      JSON.stringify({ external_user_id: 'user_{unique}', subject: 'Card declined', ...each }),
    ),
    idempotencyKey: '{unique}',
  })
  const macro = await macroLoad(client, target, tenantId, operator!)
  return {
    'desk: plain create': create([{}]),
    'desk: create, round robin in 50 departments': create(departments.map((id) => ({ department_id: id }))),
    'desk: create, round robin in one department': create([{ department_id: departments[0] }]),
    'desk: operator statuses, 100 a page': () => ({
      method: 'GET',
      paths: ['/v1/operator_statuses?limit=100'],
    }),
    ...(macro ? { 'desk: apply a macro of 5 actions': macro } : {}),
  }
}

/** Null without macros. */
async function macroLoad(
  client: pg.Client,
  target: Target,
  tenantId: string,
  operatorId: string,
): Promise<(() => Load) | null> {
  const response = await fetch(`${target.url}/v1/macros`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${target.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'the-macro',
    },
    body: JSON.stringify({
      name: 'Refund granted',
      actions: [
        { type: 'set_priority', priority: 'high' },
        { type: 'add_tags', tags: ['tag 1', 'tag 2'] },
        { type: 'assign', operator_id: operatorId },
        { type: 'note', body: 'The refund was granted.' },
        { type: 'resolve' },
      ],
    }),
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`POST /v1/macros: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  const { rows } = await client.query(
    `select id from conversations where tenant_id = $1 and status = 'new' order by id limit $2`,
    [tenantId, macroConversations.all],
  )
  const bodies = rows.map((row) => JSON.stringify({ conversation_id: typeId('conv', row.id) }))
  return () => ({
    method: 'POST',
    paths: [`/v1/macros/${id}/apply`],
    headers: { 'backline-operator': operatorId },
    bodies: bodies.splice(0, macroConversations.perRun),
    idempotencyKey: '{unique}',
  })
}

/**
 * The rate at which the server's loop ends expired holds in several environments. Conversations that are not resumed
 * exactly once count as failed.
 */
export async function measureExpiries(client: pg.Client, columns: string[]): Promise<Measured> {
  const tenants = await makeEnvironments(client, held.environments)
  for (const tenantId of tenants) {
    await fillDesk(client, tenantId, heldSize)
    await holdConversations(client, tenantId, held.conversations / tenants.length, columns)
  }
  await client.query('vacuum analyze conversations, conversation_holds')
  await client.query('checkpoint')
  await appointExpiries(client)
  const begun = performance.now()
  while ((await client.query(`select 1 from due_work where duty = 'hold_expiry' limit 1`)).rowCount)
    await sleep(25)
  const seconds = (performance.now() - begun) / 1000
  const { rows } = await client.query(
    `select count(*) filter (where e.resumed = 1 and c.status = 'open') as resumed
     from conversations c join (select tenant_id, resource_id, count(*) as resumed from events
       where tenant_id = any($1) and type = 'conversation.resumed' group by 1, 2) e on e.tenant_id = c.tenant_id and e.resource_id = c.id`,
    [tenants],
  )
  const latency = { p50Ms: Number.NaN, p99Ms: Number.NaN }
  return {
    ...latency,
    perSecond: held.conversations / seconds,
    failed: held.conversations - Number(rows[0].resumed),
  }
}
