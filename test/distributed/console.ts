import assert from 'node:assert/strict'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { secretHash } from '@backline/server/support/access/console-sessions/actions.ts'
import { freeLink } from '@backline/server/support/access/console-sessions/links/queries.ts'
import { touchConsoleSessions } from '@backline/server/support/access/console-sessions/queries.ts'
import { findByNumber } from '@backline/server/support/access/invitations/queries.ts'
import { browserOf, consolePath, fromConsole, linkOf } from '../console.ts'
import { operator, succeeded } from '../desk.ts'
import type { Service, World } from '../harness.ts'

/** Signs in to the console as the first administrator and as an operator, uses the sessions, and ends them. */
export async function useTheConsole(api: Service, world: World): Promise<void> {
  const client = world.test
  const { tenantId } = world.environments.test
  const email = 'console@example.com'
  const sent = (cookie: string) => ({ cookie, 'backline-console': 'test' })
  const signIn = async (token: string, body: object = {}) => {
    const path = `${consolePath}/sign_in/link`
    const { cookie } = await fromConsole(api, 'POST', path, sent(''), { token, ...body })
    return { ...browserOf(api, cookie!), cookie: cookie! }
  }
  const enter = async (email: string | null, body?: object) => signIn(await linkOf(api, world, email), body)
  const first = await enter(null, { name: 'Console', email })
  succeeded(await first.send('GET', `${consolePath}/session`))
  const id = await operator(client, { email: 'second@example.com', role: 'lead' })
  const second = await enter('second@example.com')
  const { body } = await second.send('GET', `${consolePath}/session`)
  succeeded(await second.send('GET', '/v1/events?include=total'))
  const uuid = uuidOf('cse', body.environments.test.session_id)!
  await touchConsoleSessions(api.db.home(tenantId), tenantId, [{ id: uuid }], toInstant(api.now()))
  const now = toInstant(api.now())
  const link = {
    workspace_id: world.environments.test.workspaceId,
    email: null,
    expires_at: now,
    used_at: now,
  }
  await freeLink(api.db, secretHash('a sign-in that failed'), link, now)
  for (const kind of ['live', 'test'] as const) {
    const invited = await operator(world[kind], { email: `invited-to-${kind}@example.com` })
    const path = `/v1/operators/${invited}/invite`
    const { operator_id } = succeeded(await world[kind].post(path))
    await findByNumber(api.db.home(tenantId), tenantId, {
      operator_id: uuidOf('op', operator_id)!,
      number: 1,
    })
    const { url } = succeeded(await world[kind].post(path))
    await signIn(url.split('#link=')[1])
    succeeded(await world[kind].patch(`/v1/operators/${invited}`, { archived: true }))
  }
  succeeded(await client.patch(`/v1/operators/${id}`, { archived: true }))
  assert.equal((await client.delete(`/v1/operators/${id}`)).status, 204)
  assert.equal((await first.send('DELETE', `${consolePath}/session`)).status, 204)
}
