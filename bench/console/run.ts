import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium } from 'playwright-core'
import { startServer } from '../server.ts'
import { formatNumber, printTable } from '../table.ts'
import { linkToken, prepare } from './data.ts'
import {
  type Bench,
  type Mark,
  measureArrival,
  measureFirstLoad,
  measureMemory,
  measureOpening,
  measureScrolling,
} from './marks.ts'

/*
 * npm run bench:console: the console in Chromium, on a server of its own whose test environment has 100,000
 * conversations. Chromium, server and database share the processors.
 */
const { values: flags } = parseArgs({
  options: {
    conversations: { type: 'string', default: '100000' },
    openings: { type: 'string', default: '1000' },
    times: { type: 'string', default: '10' },
    /** Some of load, open, scroll, memory, message. */
    only: { type: 'string', default: 'load,open,scroll,memory,message' },
    /** A directory for data that is kept for later runs. */
    data: { type: 'string' },
  },
})
const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/chromium-headless-shell',
].find(existsSync)
if (!executablePath) throw new Error('Chromium is not installed')
if (!existsSync(join(import.meta.dirname, '../../packages/console/dist/index.html')))
  throw new Error('The console is not built: npm run build -w packages/console')

const dataDir = flags.data ?? (await mkdtemp(join(tmpdir(), 'backline-bench-')))
const server = await startServer(dataDir)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const loads = [loadavg()[0]!]
try {
  const desk = await prepare(server, dataDir, Number(flags.conversations))
  const context = await signedIn()
  const storageState = await context.storageState()
  const bench: Bench = {
    desk,
    url: server.url,
    open: async (cold) => (cold ? await newContext(storageState) : context).newPage(),
  }
  const times = Number(flags.times)
  const marks: Record<string, () => Promise<Mark[]>> = {
    load: () => measureFirstLoad(bench, times),
    open: () => measureOpening(bench, times),
    scroll: () => measureScrolling(bench, Math.ceil(times / 3)),
    memory: () => measureMemory(bench, Number(flags.openings)),
    message: () => measureArrival(bench, times),
  }
  const measured: Mark[] = []
  for (const name of flags.only.split(',')) {
    measured.push(...(await marks[name]!()))
    loads.push(loadavg()[0]!)
  }
  print(measured)
} finally {
  await browser.close()
  await server.stop()
  if (!flags.data) await rm(dataDir, { recursive: true, force: true })
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

async function newContext(storageState?: State): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    ...(storageState && { storageState }),
  })
  await context.addInitScript({ path: join(import.meta.dirname, 'in-page.js') })
  return context
}

async function signedIn(): Promise<BrowserContext> {
  const context = await newContext()
  const page = await context.newPage()
  await page.goto(`${server.url}/console#link=${await linkToken(dataDir)}`)
  await page.locator('main#content').waitFor()
  await page.close()
  return context
}

function print(marks: Mark[]): void {
  const [lowest, highest] = [Math.min(...loads), Math.max(...loads)]
  console.log(
    `Chromium ${browser.version()}, ${flags.conversations} conversations, load average ${lowest.toFixed(1)} to ${highest.toFixed(1)}\n`,
  )
  printTable(
    ['mark', 'wanted', 'median', 'worst', 'times'],
    marks.map(({ name, wanted, unit, values }) => {
      const sorted = values.toSorted((a, b) => a - b)
      const say = (value: number) => `${formatNumber(value, unit === 'MB' ? 1 : 0)} ${unit}`.trim()
      const median = sorted[Math.floor(sorted.length / 2)]!
      return [name, wanted, say(median), say(sorted.at(-1)!), values.length]
    }),
  )
  for (const { name, note } of marks) if (note) console.log(`\n${name}: ${note}`)
}
