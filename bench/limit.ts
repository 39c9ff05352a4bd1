import { randomBytes, randomUUID } from 'node:crypto'
import { openServerDatabase } from '@backline/server/compose/database.ts'
import { optimized } from '@backline/server/compose/optimizations.ts'
import { loadResources } from '@backline/server/compose/resources.ts'
import { openPlainWrites } from '@backline/server/compose/writes.ts'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { newUuid } from '@backline/server/platform/kernel/ids.ts'
import type { Connection, Db } from '@backline/server/platform/postgres/database.ts'
import { compile, Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import { entitiesOf } from '@backline/server/platform/resource/entities.ts'
import type { Ctx } from '@backline/server/platform/unit-of-work/context.ts'
import { transact } from '@backline/server/platform/unit-of-work/transact.ts'
import { createConversation } from '@backline/server/support/desk/conversations/actions.ts'
import { conversationWire } from '@backline/server/support/desk/conversations/schema.ts'
import { noDetails } from '@backline/server/support/people/end-users/naming.ts'
import { type EndUser, endUserTable } from '@backline/server/support/people/end-users/queries.ts'
import { systemPrincipal } from '@backline/server/support/vocabulary/principal.ts'
import type { Measured } from './load.ts'

/**
 * The limit of an API with one statement per create: the statement of `POST /v1/conversations`, sent through the
 * driver in a closed loop, without HTTP and without its handler. Each loop has an environment of its own, because
 * statements of one would wait for the head of its journal.
 */
export async function measureLimit(
  connection: Connection,
  concurrency: number,
  seconds: number,
): Promise<Measured> {
  const tenantIds = Array.from({ length: concurrency }, () => randomUUID())
  const db = openServerDatabase(connection, () => undefined, optimized)
  for (const id of tenantIds)
    await db.write(
      sql`insert into journal_heads (tenant_id, position) values (${id}, 0)`,
      endUserTable.insert(id, [endUser]),
    )
  const statements = await Promise.all(tenantIds.map((id) => captureStatement(db, id)))
  const latencies: number[] = []
  const until = performance.now() + seconds * 1000
  const started = performance.now()
  const loop = async (statement: () => Sql) => {
    while (performance.now() < until) {
      const begun = performance.now()
      await db.write(statement())
      latencies.push(performance.now() - begun)
    }
  }
  await Promise.all(statements.map(loop))
  const elapsedSeconds = (performance.now() - started) / 1000
  await db.close()
  latencies.sort((a, b) => a - b)
  const percentile = (p: number) => latencies[Math.floor((latencies.length - 1) * p)]!
  return {
    perSecond: latencies.length / elapsedSeconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    failed: 0,
  }
}

const at = toInstant(Date.now())
/** The end user of all conversations, who exists already. */
const endUser: EndUser = {
  ...noDetails,
  id: newUuid(Date.now()),
  external_id: 'user_42',
  created_at: at,
  updated_at: at,
  version: 1,
}

/** Runs the create without its write; afterwards only the ids and the key change each time. */
async function captureStatement(db: Db, tenantId: string): Promise<() => Sql> {
  const uniqueKey = randomUUID()
  let captured: Sql | null = null
  const listening: Db = Object.assign(Object.create(db), {
    write: async (query: Sql) => {
      captured = query
      return []
    },
    home: () => listening,
  })
  const now = Date.now()
  const env: Environment = { tenantId, workspaceId: randomUUID(), kind: 'live', clockOffsetMs: 0 }
  const ctx: Ctx = {
    db: listening,
    span: null,
    env,
    principal: {
      ...systemPrincipal(env),
      actor: { type: 'api_key', id: 'key_00000000000000000000000000', operator_id: null },
    },
    writes: { ...openPlainWrites(listening), entities: entitiesOf(await loadResources()) },
    services: {} as Ctx['services'], // a create uses none
    now: () => toInstant(now),
    request: {
      id: 'req_00000000000000000000000000',
      ip: '127.0.0.1',
      userAgent: 'bench',
      ifMatch: null,
      sharesStatements: false,
      idempotency: { key: uniqueKey, fingerprint: randomBytes(32) },
      respond: (row) => ({
        status: 201,
        body: conversationWire.json(row as never),
        location: '/v1/conversations/x',
        etag: '"1"',
        sealed: null,
        resourceId: null,
      }),
    },
  }
  const outcome = await transact(ctx, (draft) =>
    createConversation(draft, { external_user_id: 'user_42', subject: 'Card declined' }),
  )
  const id = (outcome as { result: { id: string } }).result.id
  if (!captured) throw new Error('No statement was sent')
  const { text, values } = compile(captured)
  const strings = text.split(/\$\d+/)
  return () => {
    const fresh = newUuid(Date.now())
    return new Sql(
      strings,
      values.map((value) => (value === id || value === uniqueKey ? fresh : value)),
    )
  }
}
