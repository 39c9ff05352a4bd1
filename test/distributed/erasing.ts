import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { planErasure } from '@backline/server/support/data/erasure/erase.ts'
import { gatherPerson } from '@backline/server/support/data/person/gathering.ts'
import { act, conversation, say, succeeded } from '../desk.ts'
import { sessionOf, start } from '../end-users.ts'
import { erase } from '../erasures.ts'
import { file } from '../files.ts'
import type { Client, Service, World } from '../harness.ts'

const daySeconds = 86_400

const closed = async (client: Client): Promise<void> => {
  const { id } = await conversation(client, { channel: 'chat' })
  await say(client, id, 'end_user')
  await act(client, id, 'close')
}

/** Deletes conversations with all that refers to them, erases people in both modes, and carries policies out. */
export async function eraseAll(api: Service, world: World): Promise<void> {
  const { test, environments } = world
  const { tenantId } = environments.test
  const { id } = await conversation(test, { subject: 'Deleted' })
  await conversation(test, { follow_up_of_id: id })
  const merged = await conversation(test)
  const send_at = new Date(api.now() + daySeconds * 1000).toISOString()
  await say(test, merged.id, 'operator', { send_at })
  await act(test, merged.id, 'merge', { into_id: id })
  await say(test, id, 'operator', { attachments: [{ file_id: (await file(api, test)).id }] })
  succeeded(await test.delete(`/v1/conversations/${id}`))

  for (const mode of ['anonymise', 'delete'] as const) {
    const eu = succeeded(await test.post('/v1/end_users', { external_id: mode, name: mode }))
    const page = await sessionOf(api, world, eu.id)
    await file(api, page, { path: '/v1/me/files' })
    const own = await start(page)
    await say(test, own.id, 'operator', { send_at })
    const other = await conversation(test)
    succeeded(await test.put(`/v1/conversations/${other.id}/participants/${eu.id}`))
    const uuid = uuidOf('eu', eu.id)!
    if (mode === 'anonymise')
      await api.db.home(tenantId).write(sql`/* test */ update conversations set external_user_id = ${mode}
        where tenant_id = ${tenantId} and id = ${uuidOf('conv', own.id)}`)
    await planErasure({ db: api.db.home(tenantId), tenantId }, uuid, mode)
    for await (const _ of gatherPerson(api.context(environments.test), uuid));
    const article = succeeded(
      await test.post('/v1/kb/articles', { slug: mode, locale: 'en', title: 'A', body: 'B' }),
    )
    succeeded(await test.post(`/v1/kb/articles/${article.id}/publish`))
    succeeded(
      await test.post(`/v1/kb/articles/${article.id}/feedback`, { helpful: true, external_user_id: mode }),
    )
    await erase(api, environments.test, eu.id, mode)
  }

  for (const action of ['delete_files', 'redact', 'delete']) {
    await closed(test)
    const filter = { field: 'channel', op: 'is', value: 'chat' }
    const policy = { name: action, filter, after_seconds: daySeconds, action, status: 'enabled' }
    const made = succeeded(await test.post('/v1/retention_policies', policy))
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 2 * daySeconds + 60 }))
    succeeded(await test.delete(`/v1/retention_policies/${made.id}`))
  }
}
