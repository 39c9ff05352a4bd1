import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { until } from '@backline/test/processes.ts'
import fastify from 'fastify'
import type { OidcSignInDeps } from '../../platform/http/console-oidc.ts'
import { sendProblem } from '../../platform/http/error-handler.ts'
import { openAdmissionControl } from '../../platform/http/load-shedding.ts'
import { newConsoleToken } from '../../platform/kernel/key-format.ts'
import { type ConsoleDeps, mountConsole } from './routes.ts'

const publicUrl = 'http://127.0.0.1:8080'
const claim = { 'backline-console': 'test' }
const signedIn = { ...claim, cookie: `backline_console_8080=${newConsoleToken(randomUUID())}` }

/** The routes of the console in a process with a capacity of three; nobody has a session. */
async function consoleOf() {
  const workload = openAdmissionControl({ warn: () => undefined }, { most: 3, ofOne: 2, least: 1, always: 1 })
  const lookUps: (() => void)[] = []
  const authenticate = { find: () => new Promise((resolve) => lookUps.push(() => resolve(null))) }
  const oidc = { publicUrl, provider: { begin: () => assert.fail('the provider is asked') } }
  const app = fastify()
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, publicUrl))
  const deps = { publicUrl, attempts: null, workload, authenticate, oidc: oidc as unknown as OidcSignInDeps }
  await app.register(async (scope) => mountConsole(scope, deps as unknown as ConsoleDeps), {
    prefix: '/console/api',
  })
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, headers: Record<string, string>) =>
    app.inject({ method, url: `/console/api${path}`, headers, ...(method === 'POST' && { body: {} }) })
  const ends: (() => void)[] = []
  /** Requests to the API that run until `ends` are called. */
  const occupy = (client: string) =>
    workload.during(client, () => new Promise<void>((resolve) => ends.push(resolve)))
  return { workload, lookUps, send, occupy, ends }
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
      assert.deepEqual([json().code, headers['retry-after']], ['unavailable', '1'])
      assert.equal(headers['set-cookie'], undefined)
    }
    assert.equal(workload.refused, requests.length)
    // These need no capacity.
    assert.equal((await send('GET', '/session', claim)).statusCode, 401)
    assert.equal((await send('GET', '/sign_in', {})).statusCode, 200)
    for (const end of ends) end()
    await Promise.all(others)
  })

  test('for a browser that navigates lead back to the console, which shows it', async () => {
    const { send, occupy, ends } = await consoleOf()
    const others = ['one', 'one', 'two'].map(occupy)
    for (const path of ['/sign_in/oidc', '/sign_in/oidc/callback?code=c&state=s']) {
      const { statusCode, headers } = await send('GET', path, {})
      assert.deepEqual([statusCode, headers.location], [302, `${publicUrl}/console/#error=unavailable`])
    }
    for (const end of ends) end()
    await Promise.all(others)
  })

  test('count while they run, for the session or the network', async () => {
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
