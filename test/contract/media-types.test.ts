import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { service, type World } from '../harness.ts'
import { turns } from '../thorough.ts'
import { vacantRequest } from './faults.ts'
import { jsonRoutes, routes, titleOf } from './fixtures.ts'
import { refused, send, describe as show } from './http.ts'

const acceptable = [
  'application/json',
  '*/*',
  'application/*',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'Application/json;profile="a,b"',
  'application/json, text/plain, */*',
  'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
  'text/csv, application/json;q=0.001',
  'text/csv;q=1,application/*;q=0.1',
]
const notAcceptable = [
  'text/html',
  'text/*',
  'application/xml',
  'application/jsonx',
  'application/jsonx, text/csv',
  'text/csv;a="b,application/json,c"', // a comma within quotes does not separate values
  'application/json;q=0',
  'application/json;q=0.0, text/csv',
  '*/*;q=0',
  'application/json;q=0, */*', // the most specific range counts (RFC 9110 section 12.5.1)
]

const json = [
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json ; charset="UTF-8"',
]
const mergePatch = ['application/merge-patch+json', 'application/merge-patch+json; charset=utf-8']
const unsupported = [
  'text/plain',
  'text/json',
  'application/jsonx',
  'application/problem+json',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  '',
  ',',
]

const maxBytes = 1024 * 1024

describe('media types and sizes', () => {
  const api = service()
  const [yes, no, supportedOnes, unsupportedOnes, sizes] = [turns(), turns(), turns(), turns(), turns()]
  let world: World

  before(async () => {
    world = await api.world()
  })

  for (const route of routes.filter((each) => each.mediaType && each.kind !== 'content')) {
    const mediaType = route.mediaType!
    test(`406 if and only if Accept rules out ${mediaType}: ${titleOf(route)}`, async () => {
      const accepting = (accept: string | null) =>
        send(api, { ...vacantRequest(route, world.test.key), headers: { accept } })
      for (const accept of [null, '*/*', mediaType, `application/json, ${mediaType};q=0.1`])
        assert.equal((await accepting(accept)).headers.get('content-type'), mediaType)
      for (const accept of ['application/json', 'image/*', `${mediaType};q=0, */*`])
        assert.deepEqual((await accepting(accept)).body.params.available, [mediaType])
    })
  }

  for (const route of routes.filter((each) => !each.mediaType)) {
    test(`406 if and only if Accept rules JSON out: ${titleOf(route)}`, async () => {
      const accepting = (accept: string | null) =>
        send(api, { ...vacantRequest(route, world.test.key), headers: { accept } })
      for (const accept of yes([null, ...acceptable], 2))
        assert.notEqual((await accepting(accept)).status, 406, String(accept))
      for (const accept of no(notAcceptable, 2)) {
        const answer = await accepting(accept)
        refused(answer, 'not_acceptable')
        assert.deepEqual(answer.body.params.available, ['application/json'])
      }
    })
  }

  for (const route of jsonRoutes) {
    const isPatch = route.method === 'PATCH'
    const sent = async (type: string | null, body: string | undefined = '{}') => {
      const headers = { 'content-type': type }
      return send(api, { ...vacantRequest(route, world.test.key), headers, body })
    }

    test(`415 for what is not JSON, with what is supported; merge patch on PATCH alone: ${titleOf(route)}`, async () => {
      for (const type of supportedOnes([...json, ...(isPatch ? mergePatch : [])], 2))
        assert.notEqual((await sent(type)).status, 415, type)
      for (const type of unsupportedOnes([null, ...unsupported, ...(isPatch ? [] : mergePatch)], 2)) {
        const answer = await sent(type)
        refused(answer, 'unsupported_media_type')
        const supported = ['application/json', ...(isPatch ? ['application/merge-patch+json'] : [])]
        assert.deepEqual(answer.body.params, { supported }, show(answer))
      }
    })

    test(`413 beyond 1 MiB and not at 1 MiB: ${titleOf(route)}`, async () => {
      const over = '{}'.padEnd(maxBytes + 1)
      const cases = {
        async atLimit() {
          const answer = await sent('application/json', '{}'.padEnd(maxBytes))
          assert.ok(answer.status !== 413 && answer.body?.code !== 'malformed_json', show(answer))
        },
        async over() {
          const answer = await sent('application/json', over)
          refused(answer, 'payload_too_large')
          assert.deepEqual(answer.body.params, { limit_bytes: maxBytes })
        },
        async chunked() {
          const headers = { 'content-length': null, 'transfer-encoding': 'chunked' }
          const request = { ...vacantRequest(route, world.test.key), headers, body: over }
          refused(await send(api, request), 'payload_too_large')
        },
      }
      for (const check of sizes(Object.values(cases), 1)) await check()
    })
  }
})
