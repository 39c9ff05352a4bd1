import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent, request as open } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, conversation, say, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { published } from '../knowledge.ts'
import { made } from '../macro-fixtures.ts'
import { slowTexts, unmatched } from '../slow-texts.ts'
import { part, turns } from '../thorough.ts'
import { Fixtures, listRoutes, pathOf, readRoutes, titleOf, vacantIds, writeRoutes } from './fixtures.ts'
import type { Request } from './http.ts'
import { bodySchema, isFreeText, isText, places, querySchemaOf } from './schemas.ts'

/*
 * One request must not delay all others. The server runs in this process and shares its event loop; the test itself
 * does little while it waits for a response.
 */

/** The limit on a slow and busy machine; on an idle one, the maximum is less than an eighth of it. */
const limitMs = 1_000
/** The maximum size of slow text in a body. More would take longer and show nothing new. */
const longest = 64 * 1024
/** Shorter texts are not documents: parsing them may be slow, rendering is not. */
const short = 2_048

const unmatchedTexts = turns()
const markedUpTexts = turns()

const agent = new Agent({ keepAlive: true })
const delay = monitorEventLoopDelay({ resolution: 5 })

/** Sends a request and reads the whole response, with as little work as possible. */
const exchange = (url: string, { method, path, key, headers }: Request, body: Buffer | undefined) =>
  new Promise<number>((resolve, reject) => {
    const sent = {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...(headers as Record<string, string> | undefined),
    }
    const outgoing = open(url, { method, path, agent, headers: sent }, (incoming) =>
      incoming
        .on('error', reject)
        .on('end', () => resolve(incoming.statusCode!))
        .resume(),
    )
    outgoing.on('error', reject).end(body)
  })

describe('the event loop', () => {
  const api = service()
  before(() => delay.enable())
  after(() => {
    delay.disable()
    agent.destroy()
  })

  /**
   * Fails if a request holds the event loop for longer than the limit, three times in a row. Both the clock and the
   * processor time of this thread must exceed it, because a delay by other processes is not a failure.
   */
  async function holdsNobodyUp(what: string, request: Request): Promise<number> {
    const { body } = request
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const bytes = text === undefined ? undefined : Buffer.from(text)
    for (let attempt = 1; ; attempt++) {
      if (delay.max / 1e6 > limitMs) {
        delay.reset()
        await sleep(50) // the measurement starts with its second sample
      }
      const begun = process.threadCpuUsage()
      const status = await exchange(api.url, request, bytes)
      const { user, system } = process.threadCpuUsage(begun)
      if (status === 503 && attempt < 3) continue // the machine is so busy that a thread had no time for it
      assert.ok(status < 500, `${status} for ${what}`)
      const heldMs = Math.min(delay.max / 1e6, (user + system) / 1000)
      if (heldMs <= limitMs) return status
      assert.ok(attempt < 3, `${what} held the event loop for ${Math.round(heldMs)} ms`)
    }
  }

  for (const route of part(writeRoutes.filter((each) => each.body))) {
    test(`is not held by any text in any field: ${titleOf(route)}`, async () => {
      const fixtures = new Fixtures(api, (await api.world()).test)
      let { request } = await fixtures.call(route)
      const send = async (pointer: string, name: string, value: unknown) => {
        const body = { ...((await fixtures.body(route)) as object), ...(value as object) }
        const status = await holdsNobodyUp(`${name} in ${pointer}`, { ...request, body })
        if (status === 409) request = (await fixtures.call(route)).request // its object allowed only one request
      }
      for (const { pointer, schema, holding } of places(bodySchema(route))) {
        if (!isText(schema) || schema.enum || isInsideOfAnother(pointer)) continue
        for (const [name, make] of unmatchedTexts(Object.entries(unmatched), 1))
          await send(pointer, name, holding(make(60_000)))
        if (!isFreeText(schema)) continue
        const length = Math.min(schema.maxLength!, longest)
        const texts = Object.entries(slowTexts).slice(0, length > short ? undefined : 3)
        for (const [name, make] of markedUpTexts(texts, 1))
          await send(pointer, name, holding(make(length).slice(0, length)))
      }
    })
  }

  test('is not held by JSON of any shape', async () => {
    const fixtures = new Fixtures(api, (await api.world()).test)
    const names = Array.from({ length: 9_900 }, (_, i) => `"${'k'.repeat(90)}${i}":1`)
    const shapes = {
      'nested lists': `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
      'nested objects': `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`,
      'unknown fields': `{${names}}`,
      'too many unknown fields': `{${Array.from({ length: 90_000 }, (_, i) => `"k${i}":1`)}}`,
      'unknown fields that are nearly known': `{${names.slice(0, 1_990).join().replaceAll(/"k+/g, '"descriptiondescriptiondescription')}}`,
      metadata: `{"metadata":{${names}}}`,
      tags: `{"tags":[${'"a",'.repeat(250_000)}"a"]}`,
      'a long number': `{"subject":${'9'.repeat(1_000_000)}}`,
      'a text of escapes': `{"subject":"${'\\u0041'.repeat(170_000)}"}`,
    }
    for (const route of writeRoutes.filter(({ name }) => /^(create|update)Conversation$/.test(name))) {
      const { request } = await fixtures.call(route)
      for (const [name, body] of Object.entries(shapes)) await holdsNobodyUp(name, { ...request, body })
    }
  })

  test('is not held by query parameters', async () => {
    const { key } = (await api.world()).test
    for (const route of [...listRoutes, ...readRoutes]) {
      const path = pathOf(route, vacantIds(route))
      for (const [name, schema] of Object.entries(querySchemaOf(route).properties ?? {})) {
        if (!isText(schema) || schema.enum) continue
        const texts = [...Object.values(unmatched), ...Object.values(slowTexts).slice(0, 4)]
        for (const make of unmatchedTexts(texts, 1)) {
          const length = Math.min(schema.maxLength ?? 7_000, 7_000)
          const value = encodeURIComponent(make(length)).slice(0, 7_900).replace(/%.?$/, '')
          await holdsNobodyUp(`${name} of ${titleOf(route)}`, {
            method: 'GET',
            path: `${path}?${name}=${value}`,
            key,
          })
        }
      }
    }
  })

  test('is not held by headers', async () => {
    const { key } = (await api.world()).test
    const units = ['a', ',', ';', ' ', '"', 'a/*;q=1,', 'W/"1", ', '-']
    const names = [
      'accept',
      'authorization',
      'backline-operator',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'traceparent',
    ]
    for (const name of names) {
      for (const unit of units) {
        const headers = { [name]: `a${unit.repeat(14_000 / unit.length)}a` }
        await holdsNobodyUp(`${name} of ${unit}`, {
          method: 'POST',
          path: '/v1/tags',
          key,
          headers,
          body: { name: 'x' },
        })
        await holdsNobodyUp(`${name} of ${unit}`, { method: 'GET', path: '/v1/workspace', key, headers })
      }
    }
  })

  test('is not held by publishing, searching and suggesting', async () => {
    const { test } = await api.world()
    const { key } = test
    const get = (path: string) => holdsNobodyUp(path, { method: 'GET', path, key })
    for (const [name, make] of markedUpTexts(Object.entries(slowTexts), 3)) {
      const draft = await test.post('/v1/kb/articles', { title: `Slow ${name}`, body: make(longest) })
      if (draft.status === 422) continue
      const path = `/v1/kb/articles/${draft.body.id}/publish`
      await holdsNobodyUp(`publishing ${name}`, { method: 'POST', path, key, body: {} })
    }
    for (let i = 0; i < 25; i++)
      await published(test, { title: `Wanted ${i}`, body: 'ünfound '.repeat(1_250) })
    for (const q of ['slow', 'slwo', 'wanted', 'wanted+unfonud']) await get(`/v1/kb/search?limit=100&q=${q}`)
    const about = await conversation(test, { subject: 'Slow' })
    for (const make of Object.values(slowTexts).slice(0, 4))
      await say(test, about.id, 'end_user', { body: make(65_536) })
    await get(`/v1/conversations/${about.id}/suggestions`)
  })

  test('is not held by templates, alone or several in a macro', async () => {
    const { test } = await api.world()
    const { key } = test
    const post = (path: string, body: object) =>
      holdsNobodyUp(path, { method: 'POST', path: `/v1/${path}`, key, body })
    const bodies = [
      `{% assign a = 1 %}{% if b ${'or b '.repeat(12_900)}or a %}x{% endif %}`,
      `{% for i in (1..6000) %}{% assign a = i | date: "%B" %}{% endfor %}x`,
      `{% assign a = 1 %}{% if b ${'or b '.repeat(180)}or a %}x{% endif %}`,
    ]
    const variants = Array.from({ length: 5 }, (_, i) => ({
      locale: `a${String.fromCharCode(97 + i)}`,
      body: bodies[0],
    }))
    await post('message_templates', { name: 'Variants', body: 'x', variants })
    for (const [i, body] of bodies.entries()) {
      const { id: template_id } = await made(test, 'message_templates', { name: `Slow ${i}`, body })
      const { id: conversation_id } = await conversation(test)
      // A busy machine can exceed the time limit of a template, but no other: it renders, or takes too long again.
      const rendering = `message_templates/${template_id}/render`
      if ((await post(rendering, { conversation_id })) !== 200) {
        const again = await test.post(`/v1/${rendering}`, { conversation_id })
        if (again.status !== 200) assert.match(again.text, /takes too long to render/)
      }
      const actions = Array.from({ length: 3 }, () => ({ type: 'reply', template_id }))
      const { id } = await made(test, 'macros', { name: `Slow ${i}`, actions })
      const status = await post(`macros/${id}/apply`, { conversation_id })
      assert.ok(status === 200 || status === 422, `${status} for ${id}`)
    }
  })

  test('is not held by schedules, simulations and the clocks of decades', async () => {
    const { test } = await api.world()
    const { key } = test
    const config: Body = await made(test, 'sla_configs', {
      name: 'Ten minutes a day',
      schedule: { timezone: 'Europe/Berlin', weekly: tenMinutesADay, holidays: nearlyAllDays },
      targets: [
        { first_response_seconds: tenYears, next_response_seconds: tenYears, resolution_seconds: tenYears },
      ],
    })
    const about = await conversation(test)
    const replies = Array.from({ length: 10_000 }, (_, i) => ({
      type: i % 2 === 0 ? 'end_user_reply' : 'operator_reply',
      at: new Date(Date.UTC(1990, 0, 1) + i * 300_000_000).toISOString(),
    }))
    const simulation = { started_at: '1989-12-31T00:00:00Z', events: replies, as_of: '2089-12-01T00:00:00Z' }
    const path = `/v1/sla_configs/${config.id}/simulate`
    await holdsNobodyUp('a simulation', { method: 'POST', path, key, body: simulation })
    for (let i = 0; i < 3; i++) succeeded(await test.post('/v1/test_clock/advance', { seconds: tenYears }))
    await holdsNobodyUp('an explanation', { method: 'GET', path: `/v1/conversations/${about.id}/sla`, key })
  })
})

/** True in a map of maps, or a list of lists, because the outer one is tested as well. */
const isInsideOfAnother = (pointer: string) => /\/(key|0)\/(key|0)(\/|$)/.test(pointer)

const tenYears = 10 * 365 * 86_400

const tenMinutesADay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].flatMap((day) =>
  Array.from({ length: 10 }, (_, i) => ({ day, from: `1${i}:00`, to: `1${i}:01` })),
)

/** Every day of each year except one. */
const nearlyAllDays = Array.from({ length: 365 }, (_, i) => ({
  date: new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10),
  yearly: true,
})).slice(1)
