import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { entriesOf } from '@backline/test/audit.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { service, type World } from '@backline/test/harness.ts'
import {
  createMailbox as create,
  faultsOf,
  mailbox,
  patchedMailbox as patched,
  pathOfMailbox as path,
  relay,
} from '@backline/test/mailboxes.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import { pino } from 'pino'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const lines: string[] = []
const api = service({ log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) })

const credentials = { username: 'support', password: 'a-password' }

/** The password as the database has it, decrypted; null for none. */
async function storedPassword({ environments }: World, { id }: Body): Promise<string | null> {
  const uuid = uuidOf('mbx', id)!
  const [row] = await api.db.rows<{ sealed: Buffer | null }>(
    sql`select smtp_password_sealed as sealed from mailboxes where tenant_id = ${environments.test.tenantId} and id = ${uuid}`,
  )
  return row!.sealed && api.secretBox.open(row!.sealed, uuid)
}

describe('the relay', () => {
  test('is required to send by it, in a POST and after a PATCH', async () => {
    const { test: client } = await api.world()
    assert.deepEqual(faultsOf(await create(client, { outbound: 'smtp' })), ['/smtp required'])
    assert.deepEqual(faultsOf(await create(client, { outbound: 'smtp', smtp: null })), ['/smtp required'])
    const made = await mailbox(client)
    assert.deepEqual(faultsOf(await client.patch(path(made), { outbound: 'smtp' })), ['/smtp required'])
    await patched(client, made, { outbound: 'smtp', smtp: relay })
    assert.deepEqual(faultsOf(await client.patch(path(made), { smtp: null })), ['/smtp required'])
    const ended = await patched(client, made, { outbound: 'client', smtp: null })
    assert.equal(ended.smtp, null)
  })

  test('is merged by a PATCH, and keeps its password, which is shown as ***', async () => {
    const world = await api.world()
    const { test: client } = world
    const made = await mailbox(client, { smtp: { ...relay, ...credentials } })
    assert.deepEqual(made.smtp, { ...relay, username: 'support', password: '***' })
    const moved = await patched(client, made, { smtp: { port: 587, security: 'starttls' } })
    assert.deepEqual(moved.smtp, { ...made.smtp, port: 587, security: 'starttls' })
    assert.equal(await storedPassword(world, made), 'a-password')
    const anonymous = await patched(client, made, { smtp: { username: null, password: null } })
    assert.deepEqual(anonymous.smtp, { ...moved.smtp, username: null, password: null })
    assert.equal(await storedPassword(world, made), null)
  })

  test('must be complete after a PATCH, with both credentials or none', async () => {
    const { test: client } = await api.world()
    const made = await mailbox(client)
    const refused = async (smtp: object) => faultsOf(await client.patch(path(made), { smtp }))
    assert.deepEqual(await refused({ port: 25 }), ['/smtp/host required', '/smtp/security required'])
    assert.deepEqual(await refused({ ...relay, username: 'u' }), ['/smtp/password required'])
    assert.deepEqual(await refused({ ...relay, password: 'p' }), ['/smtp/username required'])
    const half = await create(client, { smtp: { ...relay, username: 'u' } })
    assert.deepEqual(faultsOf(half), ['/smtp/password required'])
  })

  test('422 for the password ***, which would replace the one that it stands for', async () => {
    const { test: client } = await api.world()
    const smtp = { ...relay, username: 'support', password: '***' }
    assert.deepEqual(faultsOf(await create(client, { smtp })), ['/smtp/password not_allowed'])
    const made = await mailbox(client, { smtp: { ...relay, ...credentials } })
    assert.deepEqual(faultsOf(await client.patch(path(made), { smtp: made.smtp })), [
      '/smtp/password not_allowed',
    ])
  })

  for (const [smtp, faults] of [
    [{ host: '127.0.0.1' }, ['/smtp/host not_allowed']],
    [{ host: 'localhost' }, ['/smtp/host not_allowed']],
    [{ host: 'a b' }, ['/smtp/host bad_format']],
    [{ port: 80, security: 'none' }, ['/smtp/port not_allowed', '/smtp/security not_allowed']],
  ] as const)
    test(`422 at its field for ${JSON.stringify(smtp)}, in a POST and after a PATCH`, async () => {
      const { test: client } = await api.world()
      assert.deepEqual(faultsOf(await create(client, { smtp: { ...relay, ...smtp } })), faults)
      const made = await mailbox(client, { smtp: relay })
      assert.deepEqual(faultsOf(await client.patch(path(made), { smtp })), faults)
      assert.deepEqual(succeeded(await client.get(path(made))).smtp.host, relay.host)
    })

  test('another relay or password clears verified_at; equal values and other fields do not', async () => {
    const { test: client, environments } = await api.world()
    const made = await mailbox(client, { outbound: 'smtp', smtp: { ...relay, ...credentials } })
    const verify = () =>
      api.db.write(sql`update mailboxes set verified_at = ${'2026-11-20T09:00:00.000Z'}, version = version + 1
        where tenant_id = ${environments.test.tenantId} and id = ${uuidOf('mbx', made.id)}`)
    for (const [patch, isKept] of [
      [{ smtp: {} }, true],
      [{ smtp: { ...relay, ...credentials } }, true],
      [{ smtp: { host: 'SMTP.example.com.' } }, true],
      [{ status: 'paused', from_name: 'Example' }, true],
      [{ outbound: 'client' }, true],
      [{ smtp: { password: 'another' } }, false],
      [{ smtp: { username: 'another' } }, false],
      [{ smtp: { host: 'smtp.example.net' } }, false],
      [{ smtp: { port: 25 } }, false],
      [{ smtp: { security: 'starttls' } }, false],
      [{ smtp: null }, false],
    ] as const) {
      await verify()
      const { version } = succeeded(await client.get(path(made)))
      const after = await patched(client, made, patch)
      assert.equal(after.verified_at !== null, isKept, JSON.stringify(patch))
      const isNothing = isKept && 'smtp' in patch
      assert.ok(after.version === version || !isNothing, `${JSON.stringify(patch)} changes nothing`)
      assert.ok(after.version > version || isKept || isNothing, JSON.stringify(patch))
    }
  })

  test('a password is in no table, event, audit entry or line of the log; a new one alone is an event', async () => {
    const { test: client, environments } = await api.world()
    const [first, second] = [randomUUID(), randomUUID()]
    const made = await mailbox(client, { smtp: { ...relay, username: 'support', password: first } })
    const changed = await patched(client, made, { smtp: { password: second } })
    assert.equal(changed.version, 2)
    assert.equal((await create(client, { address: 'no', smtp: { ...relay, password: second } })).status, 422)
    assert.equal((await client.delete(path(made))).status, 204)
    const events = await api.db.rows<{ type: string; previous: object }>(
      sql`select type, previous from events where tenant_id = ${environments.test.tenantId}
        and resource_id = ${uuidOf('mbx', made.id)} order by resource_version`,
    )
    assert.deepEqual(
      events.slice(0, 2).map(({ type, previous }) => [type, previous]),
      [
        ['mailbox.created', {}],
        ['mailbox.updated', {}],
      ],
    )
    const entries = await entriesOf(client, { target_id: made.id })
    assert.equal(entries.length, 3)
    for (const password of [first, second]) {
      assert.deepEqual(await tablesWith(api, password), [])
      assert.ok(!JSON.stringify(entries).includes(password))
      assert.ok(!lines.join('').includes(password))
    }
    assert.ok(lines.join('').includes('/v1/mailboxes'), 'There is a log')
  })

  test('a password of one mailbox cannot be decrypted as that of another one', async () => {
    const world = await api.world()
    const made = await mailbox(world.test, { smtp: { ...relay, ...credentials } })
    const other = await mailbox(world.test, { smtp: relay })
    await api.db.write(sql`update mailboxes set smtp_password_sealed = (select m.smtp_password_sealed from mailboxes m
        where m.tenant_id = ${world.environments.test.tenantId} and m.id = ${uuidOf('mbx', made.id)})
      where tenant_id = ${world.environments.test.tenantId} and id = ${uuidOf('mbx', other.id)}`)
    await assert.rejects(storedPassword(world, other))
  })
})
