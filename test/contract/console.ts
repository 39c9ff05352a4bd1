import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { newUuid, typeId, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { transact } from '@backline/server/platform/unit-of-work/transact.ts'
import { openSession } from '@backline/server/support/access/console-sessions/actions.ts'
import { findKeyBySecret } from '@backline/server/support/admin/api-keys/queries.ts'
import { notifications } from '@backline/server/support/desk/notifications/entity.ts'
import { operatorTable } from '@backline/server/support/team/operators/queries.ts'
import { erase } from '../erasures.ts'
import type { Service } from '../harness.ts'

/**
 * Signs an operator in to the console, in the environment of an API key; returns the id of the session. No route of
 * `/v1` creates sessions.
 */
export async function newConsoleSession(
  server: Partial<Pick<Service, 'db' | 'context'>>,
  key: string,
  operatorId: string,
): Promise<string> {
  const { db, environment, contextOf } = await within(server, key)
  const { email } = (await operatorTable.find(
    db.home(environment.tenantId),
    environment.tenantId,
    uuidOf('op', operatorId)!,
  ))!
  const signIn = { tokenHash: randomBytes(32), createdBy: 'link', userAgent: null, ip: null } as const
  const outcome = await transact(contextOf(environment), (change) =>
    openSession(change, { ...signIn, email, at: toInstant(Date.now()) }),
  )
  assert.ok(!outcome.replayed && outcome.result)
  return typeId('cse', outcome.result.id)
}

/** Erases an end user; returns the id of the certificate. */
export async function newErasure(
  server: Partial<Pick<Service, 'db' | 'context'>>,
  key: string,
  endUserId: string,
): Promise<string> {
  const { environment, contextOf } = await within(server, key)
  return (await erase({ context: contextOf }, environment, endUserId)).id
}

/** An unread notification of an operator about a conversation, as the journal leads to it; its id. */
export async function newNotification(
  server: Partial<Pick<Service, 'db' | 'context'>>,
  key: string,
  operatorId: string,
  conversationId: string,
): Promise<string> {
  const { environment, contextOf } = await within(server, key)
  const outcome = await transact(contextOf(environment), (change) =>
    change.rows.create(notifications, {
      ...change.stamp(),
      operator_id: uuidOf('op', operatorId)!,
      kind: 'assigned',
      reason: 'assignee',
      conversation_id: uuidOf('conv', conversationId)!,
      message_id: null,
      message_sequence: null,
      event_id: newUuid(Date.now()),
      actor_type: 'system',
      actor_id: null,
      actor_operator_id: null,
      sla_metric: null,
      count: 1,
      read_at: null,
      notified_at: change.now,
    }),
  )
  assert.ok(!outcome.replayed)
  return typeId('ntf', outcome.result.id)
}

/** The environment of an API key, and the context of changes by the server itself. */
export async function within({ db, context }: Partial<Pick<Service, 'db' | 'context'>>, key: string) {
  assert.ok(db && context, 'Objects that no route creates need the server of the test itself')
  const { environment } = (await findKeyBySecret(db, hash('sha256', key, 'buffer')))!
  return { db, environment, contextOf: context }
}
