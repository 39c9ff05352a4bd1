import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { act, say, succeeded } from './desk.ts'
import { service } from './harness.ts'
import { until } from './processes.ts'

/* Runs the page of docs/browser.md, over the few elements of a page that it uses. */

const api = service({ environment: { BACKLINE_END_USER_WRITES_PER_10_SECONDS: '0' } })
const page = readFileSync(join(import.meta.dirname, '../docs/browser.md'), 'utf8')
const [, script] = /<script type="module">\n(.*)<\/script>/s.exec(page)!

class Item {
  id = ''
  innerHTML = ''
  prepend(text: string): void {
    this.innerHTML = text + this.innerHTML
  }
}

/** Loads the page for somebody who has signed in. */
async function load(token: string) {
  const items: Item[] = []
  const ended = new AbortController()
  const submit: (event: object) => Promise<void> = async () => undefined
  const elements: Record<string, object> = {
    '#messages': { appendChild: (item: Item) => items.push(item) && item },
    form: {
      addEventListener: (_: string, listener: typeof submit) => Object.assign(self, { submit: listener }),
    },
  }
  const document = {
    querySelector: (selector: string) => elements[selector],
    getElementById: (id: string) => items.find((item) => item.id === id) ?? null,
    createElement: () => new Item(),
  }
  const fetching = async (url: string, options: RequestInit) =>
    url === '/support-token'
      ? { json: async () => ({ url: api.url, token }) }
      : fetch(url, { ...options, signal: ended.signal })
  const later = (call: () => void, ms: number, ...args: []) =>
    ended.signal.aborted ? undefined : setTimeout(call, ms, ...args).unref()
  const self = { submit }
  const run = Object.getPrototypeOf(async () => undefined).constructor
  await new run('document', 'fetch', 'setTimeout', script)(document, fetching, later)
  return {
    texts: () => items.map(({ innerHTML }) => innerHTML),
    send: (value: string) =>
      self.submit({ preventDefault: () => undefined, target: { text: { value }, reset: () => undefined } }),
    close: () => ended.abort(),
  }
}

test('the page of docs/browser.md chats: it shows what was said, sends, and receives', async () => {
  const { test: client } = await api.world()
  const session = { external_user_id: randomUUID() }
  const { token, end_user_id } = succeeded(await client.post('/v1/end_user_sessions', session))
  const one = await load(token)
  await one.send('My card was declined. <b>Twice</b>')
  assert.deepEqual(one.texts(), ['You: My card was declined. &lt;b&gt;Twice&lt;/b&gt;'])
  const { data } = succeeded(await client.get(`/v1/conversations?end_user_id=${end_user_id}`))
  await say(client, data[0].id, 'operator', { body: 'Try **again**.', body_format: 'markdown' })
  const answer = 'operator: <p>Try <strong>again</strong>.</p>'
  await until('the answer arrives', () => one.texts().length === 2)
  assert.equal(one.texts()[1], answer)
  const other = await load(token)
  assert.deepEqual(other.texts(), one.texts())
  await other.send('It works.')
  await until('it arrives on the other page', () => one.texts().length === 3)
  assert.deepEqual([one.texts()[2], other.texts()[2]], ['You: It works.', 'You: It works.'])
  await act(client, data[0].id, 'close')
  await other.send('One more thing.')
  assert.equal(other.texts()[3], 'You: One more thing.')
  for (const each of [one, other]) each.close()
})
