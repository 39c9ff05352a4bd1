import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { browser, chromium } from './chromium.ts'
import { type Clamd, eicar, needsClamd, startClamd } from './clamd.ts'
import { act, say, succeeded } from './desk.ts'
import { samples } from './file-samples.ts'
import { blocksOf } from './guides.ts'
import { type Client, type Service, service, type World } from './harness.ts'
import { article, published } from './knowledge.ts'
import { cleanUp, until } from './processes.ts'
import { packSdk } from './sdk-tarball.ts'

/* Runs the pages of docs/browser.md and docs/files.md in Chromium, with the packed SDK as a site would serve it. */

const environment = { BACKLINE_END_USER_WRITES_PER_10_SECONDS: '0', BACKLINE_SESSIONS_PER_MINUTE: '0' }
const needsChromium = { skip: chromium ? false : 'Chromium is not installed: apt-get install chromium' }

const pagesOf = (page: string) =>
  blocksOf(page)
    .filter(({ language }) => language === 'html')
    .map(({ text }) => text)
const [chat, helpCentre] = pagesOf('browser.md') as [string, string]
const [sendFile] = pagesOf('files.md') as [string]

let sdk: string
before(async () => {
  if (!chromium) return
  const tarball = await packSdk()
  execFileSync('tar', ['-xzf', tarball, '-C', dirname(tarball)])
  sdk = join(dirname(tarball), 'package/dist')
})
after(cleanUp)

/** The site of a company, which has another origin than Backline, and somebody who has signed in to it. */
async function openSite(t: TestContext, api: Service, client: Client, html: string) {
  setPublicUrl(api.url) // uploads and contents have absolute URLs
  const external_user_id = randomUUID()
  const sessions: { id: string }[] = []
  let text = html.replace('http://127.0.0.1:8080', api.url)
  const site = createServer(async (request, response) => {
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
    const [, module] = /^\/backline-sdk\/([\w.-]+\.js)$/.exec(request.url!) ?? []
    if (module) return send('text/javascript', readFileSync(join(sdk, module)))
    if (request.url !== '/support-token') return send('text/html', text)
    const session = succeeded(await client.post('/v1/end_user_sessions', { external_user_id }))
    sessions.push(session)
    return send('application/json', JSON.stringify({ token: session.token }))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    site.closeAllConnections()
    site.close()
  })
  const url = `http://localhost:${(site.address() as { port: number }).port}`
  const key = { name: 'Pages', kind: 'publishable', allowed_origins: [url] }
  const { secret } = succeeded(await client.post('/v1/api_keys', key))
  text = text.replace('bkl_pub_test_…', secret)
  const open = async () => {
    const page = await (await browser()).newPage()
    t.after(() => page.close())
    await page.goto(url)
    return page
  }
  return { open, sessions, external_user_id }
}

const conversationsOf = async (client: Client, external_user_id: string) =>
  succeeded(await client.get(`/v1/conversations?external_user_id=${external_user_id}`)).data

/** Waits until the page shows a number of messages. */
const shows = (page: Page, count: number) =>
  until(`${count} messages are shown`, async () => (await page.locator('#messages li').count()) === count)

async function write(page: Page, text: string): Promise<void> {
  await page.fill('[name=text]', text)
  await page.click('button')
}

describe('the page of docs/browser.md', needsChromium, () => {
  const api = service({ environment })
  let world: World
  before(async () => {
    world = await api.world()
  })

  test('chats: it shows what was said, sends, receives, and goes on with another token', async (t) => {
    const { test: client } = world
    const { open, sessions, external_user_id } = await openSite(t, api, client, chat)
    const one = await open()
    await write(one, 'My card was declined. <b>Twice</b>')
    await shows(one, 1)
    const [{ id }] = await conversationsOf(client, external_user_id)
    await say(client, id, 'operator', { body: 'Not for the customer.', visibility: 'internal' })
    await say(client, id, 'operator', { body: 'Try **again**.', body_format: 'markdown' })
    await shows(one, 2)

    const other = await open()
    await shows(other, 2)
    assert.equal(sessions.length, 2)
    for (const session of sessions) await client.delete(`/v1/end_user_sessions/${session.id}`)
    await write(other, 'It works.')
    for (const page of [one, other]) await shows(page, 3)
    await until('each page has another token', () => sessions.length === 4)
    const texts = (await one.locator('#messages li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    assert.deepEqual(texts, [
      'You: My card was declined. <b>Twice</b>',
      'operator: Try again.',
      'You: It works.',
    ])

    await act(client, id, 'close')
    await write(other, 'One more thing.')
    await shows(other, 4)
    assert.equal((await conversationsOf(client, external_user_id)).length, 2)
  })

  test('the help centre finds articles and shows them, and nothing that is not published', async (t) => {
    const { test: client } = world
    const title = 'Why cards are declined'
    await published(client, { title, body: 'Ask your **bank**.', locale: 'en' })
    await article(client, { title: 'A draft about cards', body: 'Not yet.' })
    const { open } = await openSite(t, api, client, helpCentre)
    const page = await open()
    await page.fill('[name=q]', 'card')
    await page.click('button')
    await page.click(`a:text-is("${title}")`)
    assert.equal(await page.locator('li').count(), 1)
    await page.waitForSelector('article strong:text-is("bank")')
    assert.equal(await page.locator('article h1').innerText(), title)
    await page.reload()
    await page.waitForSelector('article strong:text-is("bank")')
  })
})

/** Chooses a file and submits the form. */
async function submit(page: Page, name: string, buffer: Buffer, mimeType = ''): Promise<void> {
  await page.setInputFiles('input', { name, mimeType, buffer })
  await page.click('button:enabled')
}

const widthOfImage = `(() => {
  const [image] = document.images
  return image?.src.startsWith('blob:') && image.naturalWidth
})()`

function filesPage(api: Service): void {
  test('sends an image and shows it', async (t) => {
    const { test: client } = await api.world()
    const { open, external_user_id } = await openSite(t, api, client, sendFile)
    const page = await open()
    await submit(page, 'receipt.png', samples.png)
    const width = await page.waitForFunction(widthOfImage)
    assert.equal(await width.jsonValue(), samples.png.readUInt32BE(16))
    const [{ id }] = await conversationsOf(client, external_user_id)
    const messages = succeeded(await client.get(`/v1/conversations/${id}/messages`)).data
    assert.equal(messages[0].attachments[0].filename, 'receipt.png')
  })

  test('sends another file, and downloads it', async (t) => {
    const { test: client } = await api.world()
    const { open } = await openSite(t, api, client, sendFile)
    const page = await open()
    await submit(page, 'numbers.csv', Buffer.from('1,2,3\n'))
    const download = page.waitForEvent('download')
    await page.click('article button:text-is("numbers.csv")')
    assert.equal(readFileSync(await (await download).path(), 'utf8'), '1,2,3\n')
  })

  test('says that a file was rejected at once', async (t) => {
    const { test: client } = await api.world()
    const { open } = await openSite(t, api, client, sendFile)
    const page = await open()
    await submit(page, 'receipt.png', Buffer.from('%PDF-1.7\n'), 'image/png')
    await page.waitForSelector('output:text("rejected")')
  })
}

describe('the page of docs/files.md', needsChromium, () => {
  filesPage(service({ works: true, environment }))
})

describe('the page of docs/files.md, with a virus scanner', {
  skip: needsChromium.skip || needsClamd.skip,
}, () => {
  let clamd: Clamd
  const settings = { ...environment, BACKLINE_CLAMD: '' }
  before(async () => {
    clamd = await startClamd()
    settings.BACKLINE_CLAMD = clamd.path
  })
  after(() => clamd?.stop())
  const api = service({ works: true, environment: settings })
  filesPage(api)

  test('says that a file was rejected by the scanner', async (t) => {
    const { test: client } = await api.world()
    const { open } = await openSite(t, api, client, sendFile)
    const page = await open()
    await submit(page, 'invoice.txt', eicar)
    await page.waitForSelector('article p:text-is("invoice.txt: rejected")')
  })
})
