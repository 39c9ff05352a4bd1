import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service, type World } from '@backline/test/harness.ts'
import { ask, inviting, newEmail, outcome, refused } from '@backline/test/inviting.ts'

const api = service({})
let world: World

const { newOperator, invite, read, eventsOf, open } = inviting(api, () => world)

describe('at the same time', () => {
  before(async () => {
    world = await api.world()
  })

  test('of twenty uses of a link on two processes, one signs in', async () => {
    const other = await api.another()
    const operator = await newOperator({}, 'live')
    const invitation = await invite(operator, 'live')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => open(invitation, i % 2 ? other : api)),
    )
    const outcomes = answers.map(outcome).sort()
    assert.equal(outcomes[0], '200')
    assert.deepEqual([...new Set(outcomes.slice(1))], [refused('used')])
    const { body } = answers.find(({ status }) => status === 200)!
    for (const [kind, { operator }] of Object.entries<Body>(body.environments)) {
      const sessions = succeeded(
        await world[kind as 'live' | 'test'].get(`/v1/console_sessions?operator_id=${operator.id}`),
      )
      assert.equal(sessions.data.length, 1, kind)
    }
  })

  test('a use and a revocation have one outcome', async () => {
    const other = await api.another()
    const ends: ((client: Client, operator: Body, invitation: Body) => Promise<Answer>)[] = [
      (client, _, { id }) => client.delete(`/v1/invitations/${id}`),
      (client, { id }) => client.patch(`/v1/operators/${id}`, { archived: true }),
      (client, { id }) => client.patch(`/v1/operators/${id}`, { email: newEmail() }),
      (client, { id }) => client.post(`/v1/operators/${id}/invite`),
    ]
    for (const end of ends.flatMap((each) => [each, each, each, each])) {
      const operator = await newOperator()
      const invitation = await invite(operator)
      const [used, ended] = await Promise.all([
        open(invitation),
        end(other.client(world.test.key), operator, invitation),
      ])
      assert.ok(ended.status < 300, ended.text)
      const { status } = await read(invitation)
      assert.equal(outcome(used), status === 'accepted' ? '200' : refused('revoked'))
      assert.deepEqual(await eventsOf(invitation), ['invitation.created', `invitation.${status}`])
    }
  })

  test('of invitations by two processes, one is pending', async () => {
    const other = await api.another()
    const operator = await newOperator()
    const clients = [world.test, other.client(world.test.key)]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ask(clients[i % 2]!, operator).then(succeeded)),
    )
    const opened = (await Promise.all(answers.map((each) => open(each)))).map(outcome).sort()
    assert.equal(opened[0], '200')
    assert.deepEqual([...new Set(opened.slice(1))], [refused('revoked')])
  })

  test('an invitation that was written before a change of its operator by another process is revoked', async () => {
    const other = await api.another()
    const invited: { invitation: Body; operator: Body }[] = []
    for (const patch of [{ archived: true }, { email: '' }, { role: 'lead' }].flatMap((each) =>
      Array<object>(8).fill(each),
    )) {
      const operator = await newOperator()
      const body = 'email' in patch ? { email: newEmail() } : patch
      const [answer, patched] = await Promise.all([
        ask(world.test, operator),
        other.client(world.test.key).patch(`/v1/operators/${operator.id}`, body),
      ])
      succeeded(patched)
      if (answer.status !== 409) invited.push({ operator, invitation: succeeded(answer) })
    }
    const order: string[] = []
    for (let cursor = ''; ; ) {
      const query = `types=invitation.created,operator.updated&limit=100&cursor=${cursor}`
      const { data, next_cursor } = succeeded(await world.test.get(`/v1/events?${query}`))
      order.push(...data.map(({ resource }: Body) => resource.id))
      if (next_cursor === null) break
      cursor = next_cursor
    }
    for (const { invitation, operator } of invited) {
      const [made, changed] = [order.indexOf(invitation.id), order.indexOf(operator.id)]
      assert.ok(made >= 0 && changed >= 0)
      assert.equal((await read(invitation)).status, made < changed ? 'revoked' : 'pending')
    }
  })
})
