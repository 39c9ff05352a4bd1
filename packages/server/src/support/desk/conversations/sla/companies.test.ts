import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { made } from '@backline/test/macro-fixtures.ts'
import { config } from '@backline/test/sla-fixtures.ts'

const api = service()

test('a config is chosen by company, and again when the company of the conversation changes', async () => {
  const { test } = await api.world()
  const targets = [{ first_response_seconds: 3600 }]
  const [acme, other] = [
    await made(test, 'companies', { name: 'Acme' }),
    await made(test, 'companies', { name: 'Other' }),
  ]
  const { id: end_user_id } = await made(test, 'end_users', { company_ids: [acme.id, other.id] })
  const own = await config(test, { conditions: { company_ids: [acme.id] }, targets })
  const everyone = await config(test, { targets })
  const person = { external_user_id: undefined, end_user_id }
  const { id, sla } = await conversation(test, person)
  assert.equal(sla.sla_config_id, everyone.id)
  for (const [company_id, expected] of [
    [acme.id, own.id],
    [other.id, everyone.id],
    [acme.id, own.id],
    [null, everyone.id],
  ]) {
    const { sla } = succeeded(await test.patch(`/v1/conversations/${id}`, { company_id }))
    assert.equal(sla.sla_config_id, expected)
  }
  const { sla: direct } = await conversation(test, { ...person, company_id: acme.id })
  assert.equal(direct.sla_config_id, own.id)
})
