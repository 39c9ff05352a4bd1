import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { someone } from '@backline/test/end-users.ts'
import { announce, put } from '@backline/test/files.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'

/*
 * The shares of the places for uploads; that of a file is the usual one. Clients have addresses of their own: all of
 * 127.0.0.0/8 is this machine.
 */

const api = service({
  uploadLimits: {
    process: 6,
    environment: 4,
    endUsersOfProcess: 4,
    endUsersOfEnvironment: 3,
    network: 2,
    endUser: 2,
  },
})

const bytes = Buffer.alloc(300_000, 'text ')
const text = { bytes, filename: 'a.txt', content_type: 'text/plain' }
const [here, there, elsewhere] = ['127.0.0.1', '127.0.0.2', '127.0.0.3']

const ofKey = ({ test }: World) => announce(test, text)
const ofVisitor = async (world: World) =>
  announce(await someone(api, world), { ...text, path: '/v1/me/files' })

type Outcome = { status: number; body: Body | null; headers: IncomingMessage['headers'] }
type Slow = { file: Body; request: ClientRequest; outcome: Promise<Outcome>; finish(): Promise<number> }

/** Sends the beginning of an upload from an address. */
function send(file: Body, from: string, beginning = 10): Slow {
  const { pathname } = new URL(file.upload.url)
  const sent = request(api.url + pathname, {
    method: 'PUT',
    localAddress: from,
    agent: false,
    headers: { ...file.upload.headers, 'content-length': bytes.length },
  })
  sent.on('error', () => undefined)
  const outcome = once(sent, 'response').then(async ([response]: IncomingMessage[]) => {
    const { statusCode: status = 0, headers } = response!
    const body = status === 200 ? null : ((await json(response!)) as Body)
    return { status, body, headers }
  })
  outcome.catch(() => undefined)
  sent.write(bytes.subarray(0, beginning))
  return {
    file,
    request: sent,
    outcome,
    async finish() {
      sent.end(bytes.subarray(beginning))
      return (await outcome).status
    },
  }
}

const underWay = async () => (await readdir(`${api.filesDir}/incoming`)).length

/** Begins an upload, and waits until it has its places. */
async function begin(file: Body, from: string, beginning?: number): Promise<Slow> {
  const before = await underWay()
  const slow = send(file, from, beginning)
  await until('the upload has begun', async () => (await underWay()) > before)
  return slow
}

/** The answer to an upload that gets no place. */
async function refused(file: Body, from: string): Promise<void> {
  const { request, outcome } = send(file, from)
  const { status, body, headers } = await outcome
  assert.deepEqual([status, body.params.reason, headers['retry-after']], [503, 'too_many_at_once', '5'])
  request.destroy()
}

const complete = (client: Client, { id }: Body) => client.post(`/v1/files/${id}/complete`)

const finishAll = async (...all: Slow[]) =>
  assert.deepEqual(
    await Promise.all(all.map((each) => each.finish())),
    all.map(() => 200),
  )

test('a second upload of one file at the same time is refused, and the first one is completed', async () => {
  const world = await api.world()
  const file = await ofKey(world)
  const first = await begin(file, here)
  await refused(file, there)
  await finishAll(first)
  assert.equal(succeeded(await complete(world.test, file)).status, 'ready')
})

test('end users of one network have few places, and leave those of others and of keys alone', async () => {
  const world = await api.world()
  const slow = [await begin(await ofVisitor(world), there), await begin(await ofVisitor(world), there)]
  await refused(await ofVisitor(world), there)
  await refused(await ofVisitor(await api.world()), there)
  slow.push(await begin(await ofVisitor(world), elsewhere), await begin(await ofKey(world), there))
  await finishAll(...slow)
})

test('end users of an environment leave places to its operators', async () => {
  const world = await api.world()
  const slow = [
    await begin(await ofVisitor(world), here),
    await begin(await ofVisitor(world), there),
    await begin(await ofVisitor(world), elsewhere),
  ]
  await refused(await ofVisitor(world), '127.0.0.4')
  slow.push(await begin(await ofKey(world), here))
  await finishAll(...slow)
})

test('end users of all environments leave places to operators', async () => {
  const [one, other] = [await api.world(), await api.world()]
  const slow = [
    await begin(await ofVisitor(one), here),
    await begin(await ofVisitor(one), there),
    await begin(await ofVisitor(other), here),
    await begin(await ofVisitor(other), there),
  ]
  await refused(await ofVisitor(one), elsewhere)
  slow.push(await begin(await ofKey(one), here))
  await finishAll(...slow)
})

test('an environment leaves places to others', async () => {
  const world = await api.world()
  const slow: Slow[] = []
  for (let each = 0; each < 4; each++) slow.push(await begin(await ofKey(world), here))
  await refused(await ofKey(world), here)
  slow.push(await begin(await ofKey(await api.world()), here))
  await finishAll(...slow)
})

test('the slowest upload of the fullest network gives way, is told so, and can be repeated', async () => {
  const world = await api.world()
  const fast = await begin(await ofKey(world), there, 200_000)
  const slowest = await begin(await ofKey(world), there)
  const others = [await begin(await ofKey(world), there, 200_000), await begin(await ofKey(world), here)]
  await refused(await ofKey(world), there) // the network of most uploads takes nobody's place
  const next = send(await ofKey(world), elsewhere)
  const { status, body, headers } = await slowest.outcome
  assert.deepEqual([status, body.params.reason, headers['retry-after']], [503, 'too_many_at_once', '5'])
  assert.match(body.detail, /the slowest.*Send all of its bytes again/)
  await finishAll(fast, ...others, next)
  assert.equal((await put(api, slowest.file, bytes)).status, 200)
  assert.equal(succeeded(await complete(world.test, slowest.file)).status, 'ready')
  slowest.request.destroy()
})

test('an upload of the environment with most of them gives way to that of another environment', async () => {
  const [full, other, third] = [await api.world(), await api.world(), await api.world()]
  const slowest = await begin(await ofKey(full), here)
  const slow: Slow[] = []
  for (let each = 0; each < 3; each++) slow.push(await begin(await ofKey(full), here, 200_000))
  for (let each = 0; each < 2; each++) slow.push(await begin(await ofKey(other), here))
  const next = send(await ofKey(third), here)
  assert.equal((await slowest.outcome).status, 503)
  slowest.request.destroy()
  await finishAll(...slow, next)
})

test('an upload whose client goes away frees its places', async () => {
  const world = await api.world()
  const file = await ofKey(world)
  const gone = await begin(file, here)
  gone.request.destroy()
  await until('its bytes are gone', async () => (await underWay()) === 0)
  assert.equal((await put(api, file, bytes)).status, 200)
})
