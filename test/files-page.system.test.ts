import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { browser, chromium } from './chromium.ts'
import { succeeded } from './desk.ts'
import { samples } from './file-samples.ts'
import { type Client, service } from './harness.ts'
import { cleanUp, launch, temporaryDirectory } from './processes.ts'

/* Runs the page of docs/files.md in Chromium, and its commands in a shell. */

const api = service({ works: true })
const guide = readFileSync(join(import.meta.dirname, '../docs/files.md'), 'utf8')
const [, html] = /^```html\n(.*?)^```$/ms.exec(guide)!
const [, commands] = /^```sh\n(.*?)^```$/ms.exec(guide)!

after(cleanUp)

/** The site of a company whose page talks to Backline, which has another origin. */
async function siteOf(t: TestContext, token: string): Promise<string> {
  const site = createServer((request, response) => {
    const isToken = request.url === '/support-token'
    response.setHeader('content-type', isToken ? 'application/json' : 'text/html; charset=utf-8')
    response.end(isToken ? JSON.stringify({ url: api.url, token }) : html)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  t.after(() => site.close())
  return `http://127.0.0.1:${(site.address() as { port: number }).port}/`
}

async function openSite(t: TestContext, client: Client): Promise<Page> {
  setPublicUrl(api.url) // uploads and contents have absolute URLs
  const session = { external_user_id: randomUUID() }
  const { token } = succeeded(await client.post('/v1/end_user_sessions', session))
  const page = await (await browser()).newPage()
  await page.goto(await siteOf(t, token))
  return page
}

/** Chooses a file and submits the form. */
async function submit(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.setInputFiles('input', { name, mimeType: '', buffer })
  await page.click('button')
}

test('the page of docs/files.md sends an image and shows it', async (t) => {
  if (!chromium) return t.skip('Chromium is not installed: apt-get install chromium')
  const { test: client } = await api.world()
  const page = await openSite(t, client)
  await submit(page, 'receipt.png', samples.png)
  const widths = await page.waitForFunction(`(() => {
    const [image] = document.images
    return image?.src.startsWith('blob:') && image.naturalWidth
  })()`)
  assert.equal(await widths.jsonValue(), samples.png.readUInt32BE(16))
  const { data } = succeeded(await client.get('/v1/conversations'))
  const messages = succeeded(await client.get(`/v1/conversations/${data[0].id}/messages`)).data
  assert.equal(messages[0].attachments[0].filename, 'receipt.png')
})

test('the page of docs/files.md sends another file, and downloads it', async (t) => {
  if (!chromium) return t.skip('Chromium is not installed: apt-get install chromium')
  const { test: client } = await api.world()
  const page = await openSite(t, client)
  await submit(page, 'numbers.csv', Buffer.from('1,2,3\n'))
  const download = page.waitForEvent('download')
  await page.click('article button:text-is("numbers.csv")')
  const text = readFileSync(await (await download).path(), 'utf8')
  assert.equal(text, '1,2,3\n')
})

test('the commands of docs/files.md upload a file', async () => {
  const { test: client } = await api.world()
  setPublicUrl(api.url)
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'receipt.png'), samples.png)
  const script = commands!.replace('http://127.0.0.1:8080', api.url).replace('bkl_test_…', client.key)
  const running = launch({ command: ['bash', '-ec', script], directory, environment: {} })
  assert.equal((await running.ended()).code, 0, running.output)
  const { filename, status } = JSON.parse(running.stdout.trim())
  assert.deepEqual([filename, status], ['receipt.png', 'ready'])
})
