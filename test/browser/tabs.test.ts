import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { conversation, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, signInAs } from './console.ts'
import { ready, rowOf } from './inbox.ts'

/* One operator with several tabs of one browser. The server speaks plain HTTP/1.1, as it does without a proxy. */

const api = service({ works: true })

const openStreams = async () =>
  Number(/^backline_http_streams_open (\d+)$/m.exec(await (await fetch(`${api.url}/metrics`)).text())?.[1])

const streamsAre = (count: number) =>
  until(`the server sees ${count} open streams`, async () => (await openStreams()) === count)

const isLive = (page: Page) => page.getByRole('status', { name: 'Connected' }).waitFor()

async function openTabs(world: World, count: number, context?: BrowserContext): Promise<Page[]> {
  await streamsAre(0)
  const browser = context ?? (await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })).context
  const tabs = browser.pages().slice(0, 1)
  while (tabs.length < count) tabs.push(await browser.newPage())
  for (const tab of tabs) {
    await tab.goto(`${api.url}/console/test/inbox/open`)
    await isLive(tab)
  }
  return tabs
}

const arrive = (world: World, subject: string) =>
  conversation(world.test, { subject, message: { body: 'Please help.' } })

async function allShow(tabs: Page[], subject: string): Promise<void> {
  for (const tab of tabs) {
    await rowOf(tab, subject).waitFor()
    assert.equal(await rowOf(tab, subject).count(), 1)
  }
}

describe('tabs of one browser', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('what changes after a page is read, and before its stream is open, is shown', async () => {
    const world = await api.world()
    await arrive(world, 'Card declined')
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    const { promise: isRead, resolve: connect } = Promise.withResolvers<void>()
    await page.route('**/v1/events/stream*', async (route) => {
      await isRead
      await route.continue()
    })
    await page.goto(`${api.url}/console/test/inbox/open`)
    await rowOf(page, 'Card declined').waitFor()
    await arrive(world, 'Wrong invoice')
    connect()
    await rowOf(page, 'Wrong invoice').waitFor()
  })

  test('eight of them load and show a new conversation and who is typing, by one stream', async () => {
    const world = await api.world()
    const { id } = await arrive(world, 'Card declined')
    const tabs = await openTabs(world, 8)
    await arrive(world, 'Wrong invoice')
    await allShow(tabs, 'Wrong invoice')
    await streamsAre(1)
    for (const tab of tabs.slice(-2)) {
      await rowOf(tab, 'Card declined').click()
      await ready(tab)
    }
    const typing = { side: 'end_user', typing: true }
    succeeded(await world.test.put(`/v1/conversations/${id}/typing`, typing))
    for (const tab of tabs.slice(-2)) await tab.getByText(/is typing/).waitFor()
  })

  test('when the tab that reads the stream is closed or frozen, the others go on without a missed event', async () => {
    const world = await api.world()
    await arrive(world, 'Card declined')
    const [first, second, ...rest] = (await openTabs(world, 4)) as [Page, Page, ...Page[]]
    await first.close()
    await arrive(world, 'While one is closed')
    await allShow([second, ...rest], 'While one is closed')
    await streamsAre(1)

    const devtools = await second.context().newCDPSession(second)
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
    await arrive(world, 'While one is frozen')
    await allShow(rest, 'While one is frozen')
    await streamsAre(1)
    await devtools.send('Page.setWebLifecycleState', { state: 'active' })
    await allShow([second], 'While one is frozen')
    await arrive(world, 'After that')
    await allShow([second, ...rest], 'After that')
    await streamsAre(1)
  })

  test('the environments have a stream each, and signing out in one tab ends all', async () => {
    const world = await api.world()
    const [first, second, third] = (await openTabs(world, 3)) as [Page, Page, Page]
    await third.goto(`${api.url}/console/live/inbox/open`)
    await isLive(third)
    await streamsAre(2)
    await conversation(world.live, { subject: 'A real one', message: { body: 'Please help.' } })
    await allShow([third], 'A real one')
    assert.equal(await rowOf(first, 'A real one').count(), 0)
    await second.getByRole('button', { name: 'Account' }).click()
    await second.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const tab of [first, second, third]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await streamsAre(0)
  })

  test('in a page without locks, as by plain http:// from another machine, the visible tab has a stream', async () => {
    const world = await api.world()
    const { context } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    await context.addInitScript(() => {
      // biome-ignore lint/suspicious/noExplicitAny: the global scope is that of the page here
      const { Navigator, document } = globalThis as any
      delete Navigator.prototype.locks
      let isHidden = false
      Object.defineProperty(document, 'hidden', { get: () => isHidden })
      Object.assign(globalThis, {
        turn(hidden: boolean) {
          isHidden = hidden
          document.dispatchEvent(new Event('visibilitychange'))
        },
      })
    })
    const turn = (page: Page, hidden: boolean) => page.evaluate(`turn(${hidden})`)
    const [first, second] = (await openTabs(world, 2, context)) as [Page, Page]
    await streamsAre(2)
    await turn(first, true)
    await streamsAre(1)
    await arrive(world, 'While it is hidden')
    await allShow([second], 'While it is hidden')
    assert.equal(await rowOf(first, 'While it is hidden').count(), 0)
    await turn(second, true)
    await turn(first, false)
    await allShow([first], 'While it is hidden')
    await streamsAre(1)
  })
})
