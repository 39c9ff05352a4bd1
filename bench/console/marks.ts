import type { CDPSession, Page } from 'playwright-core'
import { filesEnding, gzipKb } from './built.ts'
import type { Desk } from './data.ts'

/** A mark of the console, with one figure for each repetition. */
export type Mark = { name: string; wanted: string; unit: string; values: number[]; note?: string }

export type Bench = {
  /** A signed-in page of the test environment; `cold` has nothing in its cache. */
  open(cold: boolean): Promise<Page>
  desk: Desk
  url: string
}

const inbox = (url: string, view = 'open') => `${url}/console/test/inbox/${view}`
const repeat = async <Each>(times: number, each: (i: number) => Promise<Each>): Promise<Each[]> => {
  const all: Each[] = []
  for (let i = 0; i < times; i++) all.push(await each(i))
  return all
}

/** Waits until the page asks for nothing more, but for its stream of events. */
const untilQuiet = (page: Page) => page.waitForTimeout(1_000)

/** Milliseconds of processor time that the main thread has used. */
async function workedMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000
}

const cdpOf = async (page: Page): Promise<CDPSession> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return cdp
}

export async function measureFirstLoad({ open, url }: Bench, times: number): Promise<Mark[]> {
  type First = { ms: number; files: string[] }
  const loads = async (cold: boolean) =>
    repeat(times, async () => {
      const page = await open(cold)
      await page.goto(inbox(url))
      const first = await page.evaluate<First>('bench.firstRow')
      await untilQuiet(page)
      const later = await page.evaluate<string[]>('bench.loadedFiles()')
      await (cold ? page.context().close() : page.close())
      return { ms: first.ms, kb: gzipKb(first.files), laterKb: gzipKb(later) }
    })
  const cold = await loads(true)
  const warm = await loads(false)
  const name = 'inbox: navigation to the first painted row'
  return [
    { name: `${name}, nothing cached`, wanted: '≤ 1,000 ms', unit: 'ms', values: cold.map(({ ms }) => ms) },
    { name: `${name}, files cached`, wanted: '≤ 1,000 ms', unit: 'ms', values: warm.map(({ ms }) => ms) },
    {
      name: 'scripts and styles until the first row, gzip',
      wanted: '≤ 250 kB',
      unit: 'kB',
      values: cold.map(({ kb }) => kb),
    },
    { name: 'the same, a second later', wanted: '', unit: 'kB', values: cold.map(({ laterKb }) => laterKb) },
    {
      name: 'all scripts, gzip',
      wanted: '≤ 420 kB',
      unit: 'kB',
      values: [gzipKb(filesEnding('.js'))],
    },
    { name: 'all styles, gzip', wanted: '', unit: 'kB', values: [gzipKb(filesEnding('.css'))] },
  ]
}

export async function measureOpening({ open, url, desk }: Bench, times: number): Promise<Mark[]> {
  const newest = await newestMessage(desk)
  const page = await open(false)
  const cdp = await cdpOf(page)
  const row = page.locator(`[data-row="${desk.longId}"]`)
  const other = page.locator(`[data-row]:not([data-row="${desk.longId}"])`).first()
  const click = async () => {
    await row.hover()
    const before = await workedMs(cdp)
    const opening = page.evaluate<number>(`bench.opening('${newest}')`)
    await row.click()
    const ms = await opening
    const worked = (await workedMs(cdp)) - before
    await untilQuiet(page)
    return { ms, worked }
  }
  const opened = await repeat(times, async () => {
    await page.goto(inbox(url))
    await page.evaluate('bench.firstRow')
    await other.click()
    await untilQuiet(page)
    const first = await click()
    await other.click()
    await untilQuiet(page)
    return { first, again: await click() }
  })
  await page.close()
  const name = 'click on a conversation of 500 messages to its thread'
  const of = (which: 'first' | 'again', what: 'ms' | 'worked') => opened.map((each) => each[which][what])
  return [
    { name: `${name}, the first time`, wanted: '≤ 150 ms', unit: 'ms', values: of('first', 'ms') },
    { name: `${name}, again`, wanted: '≤ 150 ms', unit: 'ms', values: of('again', 'ms') },
    {
      name: 'processor time of the main thread until then, the first time',
      wanted: '',
      unit: 'ms',
      values: of('first', 'worked'),
    },
  ]
}

export async function measureScrolling({ open, url, desk }: Bench, times: number): Promise<Mark[]> {
  const page = await open(false)
  const wheel = async (selector: string, byPx: number, steps: number) => {
    await page.locator(selector).first().hover()
    await page.evaluate('bench.takeTasks()')
    for (let i = 0; i < steps; i++) {
      await page.mouse.wheel(0, byPx)
      await page.waitForTimeout(16)
    }
    await untilQuiet(page)
    return Math.max(0, ...(await page.evaluate<number[]>('bench.takeTasks()')))
  }
  const scrolled = await repeat(times, async () => {
    await page.goto(inbox(url, 'all'))
    await page.evaluate('bench.firstRow')
    await untilQuiet(page)
    const list = await wheel('[data-row]', 600, 250)
    await page.goto(`${inbox(url)}/${desk.longId}`)
    await page.evaluate(`bench.whenPainted('[data-message]')`)
    await untilQuiet(page)
    return { list, thread: await wheel('[role=log]', -400, 250) }
  })
  await page.close()
  const mark = (which: 'list' | 'thread', name: string): Mark => ({
    name: `longest task over 50 ms while ${name}`,
    wanted: '≤ 100 ms',
    unit: 'ms',
    values: scrolled.map((each) => each[which]),
  })
  return [
    mark('list', 'the list scrolls by 150,000 px'),
    mark('thread', 'the thread scrolls through 500 messages'),
  ]
}

const among = 10
const perReading = 100

/** Opens the same ten conversations in turn; the second half of the openings should add nothing. */
export async function measureMemory({ open, url }: Bench, openings: number): Promise<Mark[]> {
  const page = await open(false)
  const cdp = await cdpOf(page)
  await page.goto(inbox(url))
  await page.evaluate('bench.firstRow')
  const use = async () => {
    for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage')
    const { metrics } = await cdp.send('Performance.getMetrics')
    const of = (sought: string) => metrics.find(({ name }) => name === sought)!.value
    return { mb: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners') }
  }
  const used: Awaited<ReturnType<typeof use>>[] = []
  for (let i = 0; i < openings; i += perReading) {
    await page.evaluate(`bench.openInTurn(${perReading}, ${among})`)
    await untilQuiet(page)
    used.push(await use())
  }
  await page.close()
  const first = used[0]!
  const half = used[Math.floor((used.length - 1) / 2)]!
  const last = used.at(-1)!
  const note = `${used.map(({ mb }) => mb.toFixed(1)).join(', ')} MB, after each ${perReading} openings`
  const added = 'added by the second half of them'
  return [
    { name: `JS heap after ${perReading} openings`, wanted: '', unit: 'MB', values: [first.mb] },
    { name: `JS heap after ${openings} openings`, wanted: 'steady', unit: 'MB', values: [last.mb], note },
    { name: `DOM nodes after ${perReading} openings`, wanted: '', unit: '', values: [first.nodes] },
    { name: `DOM nodes after ${openings} openings`, wanted: 'steady', unit: '', values: [last.nodes] },
    { name: `JS heap ${added}`, wanted: '', unit: 'MB', values: [last.mb - half.mb] },
    { name: `DOM nodes ${added}`, wanted: '', unit: '', values: [last.nodes - half.nodes] },
    { name: `event listeners ${added}`, wanted: '', unit: '', values: [last.listeners - half.listeners] },
  ]
}

export async function measureArrival({ open, url, desk }: Bench, times: number): Promise<Mark[]> {
  const page = await open(false)
  await page.goto(`${inbox(url)}/${desk.longId}`)
  await page.evaluate(`bench.whenPainted('[data-message]')`)
  await untilQuiet(page)
  const values = await repeat(times, async (i) => {
    const body = `Are you there? ${Date.now()} ${i}`
    const arrival = page.evaluate<number>(`bench.arrival('${body}')`)
    const postedAt = Date.now()
    await desk.call('POST', `conversations/${desk.longId}/messages`, { author_side: 'end_user', body })
    const ms = (await arrival) - postedAt
    await untilQuiet(page)
    return ms
  })
  await page.close()
  return [{ name: 'POST of a message to its paint in the thread', wanted: '≤ 200 ms', unit: 'ms', values }]
}

async function newestMessage({ call, longId }: Desk): Promise<string> {
  const { data } = await call<{ data: { id: string }[] }>(
    'GET',
    `conversations/${longId}/messages?sort=-sequence&limit=1`,
  )
  return data[0]!.id
}
