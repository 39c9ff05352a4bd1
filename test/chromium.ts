import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch, temporaryDirectory, until } from './processes.ts'

/** The program; undefined if it is not installed. */
export const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

/** A page of a browser without a window. */
export type Page = {
  /** Sends a command of the Chrome DevTools Protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>
  /** The value of an expression, or of the promise that it is. @throws what it throws */
  evaluate(expression: string): Promise<unknown>
}

/** Starts Chromium on a page. `cleanUp` of processes.ts ends it. */
export async function openPage(url: string): Promise<Page> {
  const directory = temporaryDirectory()
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const own = [`--user-data-dir=${directory}`, '--remote-debugging-port=0', 'about:blank']
  launch({ command: [chromium!, ...flags, ...own], directory, environment: {} })
  const portFile = join(directory, 'DevToolsActivePort')
  const port = await until('Chromium listens', () =>
    existsSync(portFile) ? /^\d+(?=\n)/.exec(readFileSync(portFile, 'utf8'))?.[0] : undefined,
  )
  const targets = await fetch(`http://127.0.0.1:${port}/json/list`)
  const target = ((await targets.json()) as Record<string, string>[]).find(({ type }) => type === 'page')!
  const page = await connect(target.webSocketDebuggerUrl!)
  await page.send('Page.navigate', { url })
  await until(
    'the page is loaded',
    async () => await page.evaluate(`location.href === '${url}' && document.readyState === 'complete'`),
  )
  return page
}

async function connect(url: string): Promise<Page> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(data)
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  }
  let count = 0
  const send: Page['send'] = (method, params = {}) => {
    const answer = Promise.withResolvers<Record<string, unknown>>()
    waiting.set(++count, answer)
    socket.send(JSON.stringify({ id: count, method, params }))
    return answer.promise
  }
  return {
    send,
    async evaluate(expression) {
      const params = { expression, awaitPromise: true, returnByValue: true }
      // biome-ignore lint/suspicious/noExplicitAny: the protocol has no types
      const { result, exceptionDetails } = (await send('Runtime.evaluate', params)) as any
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    },
  }
}
