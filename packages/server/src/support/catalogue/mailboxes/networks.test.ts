import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'

const api = service({ environment: { BACKLINE_SMTP_ALLOWED_NETWORKS: '127.0.0.0/8' } })

test('a relay in an allowed network may have any port and no TLS; others may not', async () => {
  const { test: client } = await api.world()
  const smtp = { host: '127.0.0.1', port: 8025, security: 'none' }
  const made = succeeded(
    await client.post('/v1/mailboxes', { address: 'a@example.com', outbound: 'smtp', smtp }),
  )
  assert.deepEqual(made.smtp, { ...smtp, username: null, password: null })
  succeeded(await client.patch(`/v1/mailboxes/${made.id}`, { smtp: { host: 'localhost' } }))
  const { status, body } = await client.patch(`/v1/mailboxes/${made.id}`, { smtp: { host: '10.0.0.1' } })
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body.errors, [{ pointer: '/smtp/host', code: 'not_allowed' }])
})
