import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '@backline/demo/api.ts'
import { setUpDesk } from '@backline/demo/desk.ts'
import { proceed, workOn } from '@backline/demo/fill.ts'
import { planOf } from '@backline/demo/plan.ts'
import { stories } from '@backline/demo/stories.ts'
import { systemClock } from '@backline/server/platform/kernel/clock.ts'
import { createLink } from '@backline/server/support/access/console/links.ts'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { browser, chromium } from '../chromium.ts'
import { consolePath, fromConsole } from '../console.ts'
import { succeeded } from '../desk.ts'
import type { Service, World } from '../harness.ts'

/*
 * The console in a real browser, against a real server. A fault that a page reports, an exception or a refusal of its
 * content security policy, fails the test. Each test has windows of its own, which are closed at its end.
 */

/** False without Chromium: the tests are skipped then. */
export const canBrowse = chromium !== undefined

/** The time limit for what a person waits for, on a machine that is busy with other work. */
const patienceMs = 60_000

/** A person at the console: a browser of their own, in which they have signed in. */
export type Person = { context: BrowserContext; page: Page; faults: string[] }

let people: Person[] = []

/**
 * Refusals are answers, such as that nobody has signed in. Tests cut connections, and end sessions with their streams.
 */
const isExpected = (message: string): boolean =>
  /ERR_(ABORTED|INTERNET_DISCONNECTED|CONNECTION_RE(SET|FUSED)|INCOMPLETE_CHUNKED_ENCODING)|status of 4(01|09|12|13|22)/.test(
    message,
  )

/** Opens an empty window. */
export async function newPerson(options: BrowserContextOptions = {}): Promise<Person> {
  const context = await (await browser()).newContext({
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const faults: string[] = []
  const note = (fault: string) => !isExpected(fault) && faults.push(fault)
  page.on('pageerror', (error) => note(String(error)))
  page.on('console', (message) => message.type() === 'error' && note(message.text()))
  const person = { context, page, faults }
  people.push(person)
  return person
}

afterEach(async (t) => {
  const { name, passed } = t as TestContext
  const opened = people
  people = []
  for (const [i, { page, context }] of opened.entries()) {
    if (!passed)
      await photograph(page, `failed-${name.replace(/\W+/g, '-').slice(0, 60)}-${i}`).catch(() => null)
    // Requests that handlers hold back end with the window. A test may have closed its page.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  assert.deepEqual(
    opened.flatMap(({ faults }) => faults),
    [],
  )
})

/** The address of a one-time link; without an e-mail address it is that of the first administrator. */
export async function linkFor(api: Service, world: World, email: string | null): Promise<string> {
  const { workspaceId } = world.environments.test
  return `${api.url}/console#link=${await createLink(api.db, systemClock, { workspaceId, email })}`
}

/** Creates an operator in both environments, with a window in which they have signed in. It shows no page yet. */
export async function signInAs(
  api: Service,
  world: World,
  { name, role }: { name: string; role: 'agent' | 'lead' | 'admin' },
  options: BrowserContextOptions = {},
): Promise<Person & { operatorId: string }> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const fields = { name, email, role }
  succeeded(await world.live.post('/v1/operators', fields))
  const { id: operatorId } = succeeded(await world.test.post('/v1/operators', fields))
  const token = new URL(await linkFor(api, world, email)).hash.replace('#link=', '')
  const signIn = `${consolePath}/sign_in/link`
  const { cookie } = await fromConsole(api, 'POST', signIn, { 'backline-console': 'test' }, { token })
  const [cookieName, value] = cookie!.split('=') as [string, string]
  const person = await newPerson(options)
  await person.context.addCookies([{ name: cookieName, value, url: api.url }])
  return { ...person, operatorId }
}

/** Fills the test environment with the desk of the demo, and some of its conversations. */
export async function fillDesk(api: Service, { test: { key } }: World, conversations: number): Promise<void> {
  const demo: Api = {
    async call(method, path, { query, body, operator, idempotencyKey = randomUUID() } = {}) {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        ...(operator && { 'backline-operator': operator }),
      }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(`${api.url}${path}?${new URLSearchParams(query)}`, {
        method,
        headers,
        ...sent,
      })
      const text = await response.text()
      assert.ok(response.ok, text)
      return text === '' ? null : JSON.parse(text)
    },
  }
  const desk = await setUpDesk(demo)
  for (let i = 0; i < conversations; i++) {
    const work = workOn(planOf('1', i, stories), null)
    await proceed(work, work.steps.length, desk, { customer: () => demo, operator: () => demo, reader: null })
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations of WCAG 2.2 A and AA on the page, as axe-core finds them. */
export async function violationsOn(page: Page): Promise<string[]> {
  if (await page.evaluate('!("axe" in globalThis)')) await page.evaluate(axe)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  return page.evaluate(async (values) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe-core is a script of the page here
    const { violations } = await (globalThis as any).axe.run({
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
    })
    type Violation = { id: string; help: string; nodes: { html: string }[] }
    return (violations as Violation[]).map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
    )
  }, tags)
}

export const screenshots = join(import.meta.dirname, 'screenshots')

/**
 * People are faster than the network, which delivers the first write last.
 * @returns tells how many writes are answered
 */
export async function deliverFirstLast(page: Page, url: string): Promise<() => number> {
  const delays = [1_500, 1_000, 500]
  let written = 0
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await sleep(delays.shift() ?? 0)
    await route.continue()
  })
  page.on('response', (response) => {
    if (['PATCH', 'POST'].includes(response.request().method())) written++
  })
  return () => written
}

/** Keeps a picture of the page for a person to look at. */
export async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`) })
}
