import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Browser, fromConsole, signedIn } from '@backline/test/console.ts'
import { allRoutes, pathOf, titleOf, vacantId } from '@backline/test/contract/fixtures.ts'
import { type Body, conversation, department, operator, succeeded } from '@backline/test/desk.ts'
import { type Answer, service, type World } from '@backline/test/harness.ts'

const api = service()

let made = 0
const open = { field: 'status', op: 'in', value: ['new', 'open'] }

/** The routes that have a view in their path. */
const ofViews = allRoutes.filter(({ params }) => params?.id === 'view')
const bodies: Record<string, unknown> = { updateView: { description: 'Looked at' } }

type Sender = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

describe('a view of one operator', () => {
  let world: World
  let ada: Browser
  let ben: Browser
  let admin: Browser
  const create = async (visibility: object): Promise<string> =>
    succeeded(await world.test.post('/v1/views', { name: `View ${++made}`, filter: open, visibility })).id
  /** A key with all scopes that acts for an operator. */
  const actingFor =
    (operatorId: string): Sender =>
    (method, path, body, headers) =>
      withKey(method, path, body, { 'backline-operator': operatorId, ...headers })
  const withKey: Sender = (method, path, body, headers) =>
    fromConsole(api, method, path, { authorization: `Bearer ${world.test.key}`, ...headers }, body)

  /** The response without what differs for each request and id. */
  const answerOf = ({ status, body }: Answer, id: string) =>
    JSON.stringify([status, { ...body, request_id: null, instance: null }]).replaceAll(id, 'view_')
  const names = async (send: Sender, query = ''): Promise<string[]> =>
    succeeded(await send('GET', `/v1/views${query}`)).data.map(({ id }: Body) => id)

  before(async () => {
    world = await api.world()
    ada = await signedIn(api, world, 'agent')
    ben = await signedIn(api, world, 'lead')
    admin = await signedIn(api, world, 'admin')
    await conversation(world.test)
  })

  const others = (): [string, Sender][] => [
    ['a lead in the console', ben.send],
    ['an administrator in the console', admin.send],
    ['a key that acts for another operator', actingFor(ben.operatorId)],
  ]

  for (const route of ofViews)
    test(`is the same 404 for others as one that never existed: ${titleOf(route)}`, async () => {
      const id = await create({ operator_ids: [ada.operatorId] })
      const never = vacantId('view')
      for (const [who, send] of others())
        for (const headers of [{}, { 'if-match': '"7"' }]) {
          const [answer, vacant] = await Promise.all(
            [id, never].map((each) =>
              send(route.method, pathOf(route, { id: each }), bodies[route.name], { ...headers }),
            ),
          )
          assert.equal(answer!.status, 404, who)
          assert.equal(answerOf(answer!, id), answerOf(vacant!, never), who)
        }
      succeeded(await world.test.get(`/v1/views/${id}`)) // nobody has deleted it
    })

  test('is not found by others where a request names views', async () => {
    const id = await create({ operator_ids: [ada.operatorId] })
    const never = vacantId('view')
    for (const [who, send] of others()) {
      const naming: ((view: string) => Promise<Answer>)[] = [
        (view) => send('GET', `/v1/views/counts?ids=${view}`),
        (view) => send('POST', '/v1/views/reorder', { ids: [view] }),
        (view) => send('POST', '/v1/conversations/claim_next', { view_id: view }),
      ]
      for (const name of naming) {
        const answer = await name(id)
        assert.ok([400, 422].includes(answer.status), who)
        assert.equal(answer.body.errors[0].code, 'not_found', who)
        assert.equal(answerOf(answer, id), answerOf(await name(never), never), who)
      }
      assert.ok(!(await names(send)).includes(id), who)
      assert.ok(!(await names(send, `?operator_id=${ada.operatorId}`)).includes(id), who)
      const { data } = succeeded(await send('GET', '/v1/views/counts'))
      assert.ok(!data.some(({ view_id }: Body) => view_id === id), who)
    }
  })

  test('is there for its owner, and for a key that acts for nobody', async () => {
    const id = await create({ operator_ids: [ada.operatorId] })
    for (const send of [ada.send, actingFor(ada.operatorId), withKey]) {
      for (const path of [`/v1/views/${id}`, `/v1/views/${id}/items`, `/v1/views/counts?ids=${id}`])
        succeeded(await send('GET', path))
      assert.ok((await names(send)).includes(id))
    }
    succeeded(await ada.send('POST', '/v1/conversations/claim_next', { view_id: id }))
    const own = actingFor(ada.operatorId)
    succeeded(await own('PATCH', `/v1/views/${id}`, { description: 'Mine' }))
    succeeded(await own('POST', '/v1/views/reorder', { ids: [id] }))
    succeeded(await own('DELETE', `/v1/views/${id}`))
  })

  test('of a department is there for its members, and for who maintains views', async () => {
    const cal = await operator(world.test)
    const id = await create({ department_ids: [await department(world.test, [cal])] })
    const reader = await world.withScopes('views:read', 'conversations:read')
    const reading = (operatorId: string) => reader.get(`/v1/views/${id}`, { 'backline-operator': operatorId })
    assert.equal((await reading(cal)).status, 200)
    assert.equal((await reading(ada.operatorId)).status, 404)
    assert.equal((await ada.send('GET', `/v1/views/${id}`)).status, 404)
    for (const { send } of [ben, admin]) {
      succeeded(await send('PATCH', `/v1/views/${id}`, { description: `Seen ${++made}` }))
      assert.ok((await names(send)).includes(id))
      assert.ok(!(await names(send, `?operator_id=${ada.operatorId}`)).includes(id))
    }
  })
})
