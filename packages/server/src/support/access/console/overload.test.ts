import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { until } from '@backline/test/processes.ts'
import fastify from 'fastify'
import { openAdmissionControl } from '../../../platform/http/limits/load-shedding.ts'
import { sendProblem } from '../../../platform/http/response/error-handler.ts'
import { networkOf } from '../../../platform/kernel/networks.ts'
import { newConsoleToken } from '../../vocabulary/credentials.ts'
import { OidcError } from '../oidc/faults.ts'
import type { OidcSignInDeps } from './oidc-routes.ts'
import { type ConsoleDeps, mountConsole } from './routes.ts'

const publicUrl = 'http://127.0.0.1:8080'
const callback = '/sign_in/oidc/callback?code=c&state=s'
/** The network of the requests. */
const own = networkOf('127.0.0.1')
const claim = { 'backline-console': 'test' }
const signedIn = { ...claim, cookie: `backline_console_8080=${newConsoleToken(randomUUID())}` }

/** The routes of the console in a process with a capacity of three; nobody has a session. */
async function consoleOf() {
  const workload = openAdmissionControl({ warn: () => undefined }, { most: 3, ofOne: 2, least: 1, always: 1 })
  const lookUps: (() => void)[] = []
  const sessions = { find: () => new Promise((resolve) => lookUps.push(() => resolve(null))) }
  // The answers of the provider and of the database.
  const provider = Promise.withResolvers<string>()
  const session = Promise.withResolvers<{ cookie: string }>()
  const seen = { begun: 0, exchanged: 0, signedIn: 0 }
  const oidc = {
    publicUrl,
    attempts: null,
    transactions: { take: () => ({}) },
    provider: {
      begin() {
        seen.begun++
        return provider.promise
      },
      complete() {
        seen.exchanged++
        return provider.promise
      },
    },
    signIn() {
      seen.signedIn++
      return session.promise
    },
  }
  const app = fastify()
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, publicUrl))
  const deps = { publicUrl, attempts: null, workload, sessions, oidc: oidc as unknown as OidcSignInDeps }
  await app.register(async (scope) => mountConsole(scope, deps as unknown as ConsoleDeps), {
    prefix: '/console/api',
  })
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, headers: Record<string, string>) =>
    app.inject({ method, url: `/console/api${path}`, headers, ...(method === 'POST' && { body: {} }) })
  const ends: (() => void)[] = []
  /** Requests to the API that run until `ends` are called. */
  const occupy = (client: string) =>
    workload.during(client, () => new Promise<void>((resolve) => ends.push(resolve)))
  return { workload, lookUps, send, occupy, ends, provider, session, seen }
}

describe('in an overloaded process, the routes of the console', () => {
  test('are refused with 503 and Retry-After, which neither ends a session nor uses a link up', async () => {
    const { workload, send, occupy, ends } = await consoleOf()
    const others = ['one', 'one', 'two'].map(occupy)
    const requests = [
      ['GET', '/session'],
      ['DELETE', '/session'],
      ['POST', '/sign_in/link'],
    ] as const
    for (const [method, path] of requests) {
      const { statusCode, headers, json } = await send(method, path, signedIn)
      assert.equal(statusCode, 503, `${method} ${path}`)
      assert.deepEqual([json().params.reason, headers['retry-after']], ['overloaded', '1'])
      assert.equal(headers['set-cookie'], undefined)
    }
    assert.equal(workload.refused, requests.length)
    // These need no capacity.
    assert.equal((await send('GET', '/session', claim)).statusCode, 401)
    assert.equal((await send('GET', '/sign_in', {})).statusCode, 200)
    for (const end of ends) end()
    await Promise.all(others)
  })

  test('for a browser that comes back from the provider lead to the console, which shows it', async () => {
    const { send, occupy, ends, provider, seen } = await consoleOf()
    const others = ['one', 'one', 'two'].map(occupy)
    provider.resolve('ada@example.com')
    const { statusCode, headers } = await send('GET', callback, {})
    assert.deepEqual([statusCode, headers.location], [302, `${publicUrl}/console/#error=unavailable`])
    assert.equal(seen.signedIn, 0)
    for (const end of ends) end()
    await Promise.all(others)
  })

  test('use no capacity while a provider is slow, and then as long as the database works', async () => {
    const { workload, send, provider, seen } = await consoleOf()
    const begun = Array.from({ length: 4 }, () => send('GET', '/sign_in/oidc', {}))
    const completed = send('GET', callback, {})
    await until('all wait', () => seen.begun === 4 && seen.exchanged === 1)
    assert.equal(workload.inProgress, 0)
    provider.reject(new OidcError('unavailable', 'it is slow'))
    for (const { headers } of await Promise.all([...begun, completed]))
      assert.match(String(headers.location), /#error=unavailable$/)

    const next = await consoleOf()
    next.provider.resolve('ada@example.com')
    const signingIn = next.send('GET', callback, {})
    await until('the database is asked', () => next.seen.signedIn === 1)
    assert.equal(next.workload.inProgress, 1)
    next.session.resolve({ cookie: 'session=1' })
    assert.equal((await signingIn).headers.location, `${publicUrl}/console/`)
    assert.equal(next.workload.inProgress, 0)
  })

  test('count for the network of who signs in or out, whatever credential the request has', async () => {
    const { send, occupy, ends, provider } = await consoleOf()
    const others = [own, own].map(occupy)
    provider.resolve('ada@example.com')
    for (const headers of [claim, signedIn, { ...claim, authorization: 'Bearer bkl_live_x' }]) {
      assert.equal((await send('POST', '/sign_in/link', headers)).statusCode, 503)
      assert.equal((await send('DELETE', '/session', headers)).statusCode, 503)
      const { location } = (await send('GET', callback, headers)).headers
      assert.match(String(location), /#error=unavailable$/)
    }
    for (const end of ends) end()
    await Promise.all(others)
  })

  test('count while they run, for the session', async () => {
    const { workload, lookUps, send } = await consoleOf()
    const answers = [send('GET', '/session', signedIn), send('GET', '/session', signedIn)]
    await until('both run', () => lookUps.length === 4)
    assert.equal(workload.inProgress, 2)
    assert.equal((await send('GET', '/session', signedIn)).statusCode, 503)
    // Another person is let in.
    const cookie = `backline_console_8080=${newConsoleToken(randomUUID())}`
    answers.push(send('GET', '/session', { ...claim, cookie }))
    await until('it runs', () => lookUps.length === 6)
    for (const answer of lookUps) answer()
    for (const { statusCode } of await Promise.all(answers)) assert.equal(statusCode, 401)
    assert.equal(workload.inProgress, 0)
  })
})
