import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { filesOf, type Recorded, readCopy, serve, temporaryFolder } from './recorded.test-fixtures.ts'

/* Processes that are killed while they fetch. The tests of the vendors stop fetches at every request. */

const count = 12

/** A Zammad with a ticket a page and a file in each article. `onRequest` may hold an answer back. */
function zammad(t: TestContext, onRequest: (asked: number) => Promise<void> | null) {
  let asked = 0
  const one = (page: number, item: Recorded) => ({ body: page === 1 ? [item] : [] })
  return serve(t, async ({ path, query }) => {
    await onRequest(++asked)
    const page = Number(query.get('page') ?? 1)
    const [, name, id] = /^\/api\/v1\/(\w+)(?:\/by_ticket\/(\d+))?/.exec(path) ?? []
    const created_at = '2024-01-05T09:00:00Z'
    switch (name) {
      case 'ticket_states':
        return one(page, { id: 2, name: 'open', state_type: 'open' })
      case 'groups':
        return one(page, { id: 2, name: 'Billing' })
      case 'users':
        return one(page, { id: 40, firstname: 'Carl', roles: ['Customer'], created_at })
      case 'tickets': {
        const ticket = {
          id: page,
          title: `Ticket ${page}`,
          state_id: 2,
          group_id: 2,
          customer_id: 40,
          created_at,
        }
        return { body: page <= count ? [{ ...ticket, updated_at: created_at }] : [] }
      }
      case 'ticket_articles': {
        const attachments = [{ id: 7, filename: 'bill.pdf', preferences: {} }]
        const article = {
          id: Number(id) * 10,
          sender: 'Customer',
          created_by_id: 40,
          body: 'Hello',
          created_at,
        }
        return { body: [{ ...article, content_type: 'text/plain', attachments }] }
      }
      case 'ticket_attachment':
        return { body: 'PDF'.repeat(10_000) }
      default:
        return { body: name === 'tags' ? { tags: [] } : [] }
    }
  })
}

function fetching(url: string, folder: string) {
  const args = ['import', 'zammad', '--from', url, '--folder', folder, '--fetch-only', '--json']
  const main = join(import.meta.dirname, '../main.ts')
  const env = { PATH: process.env.PATH, ZAMMAD_API_TOKEN: 'x', XDG_CONFIG_HOME: '/nonexistent' }
  return spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function ended(url: string, folder: string): Promise<void> {
  const [code] = await once(fetching(url, folder), 'exit')
  assert.equal(code, 0)
}

describe('a fetch whose process is killed', () => {
  test('continues, and leaves the folder of an undisturbed one', async (t) => {
    const held = { at: Number.POSITIVE_INFINITY, reached: () => {} }
    let asked = 0
    const { url, requests } = await zammad(t, () => {
      if (++asked !== held.at) return null
      held.reached()
      return new Promise(() => {}) // the process waits for this answer when it is killed
    })
    const undisturbed = temporaryFolder(t)
    await ended(url, undisturbed)
    const total = requests.length
    assert.equal(readCopy(undisturbed).lines.filter(({ type }) => type === 'message').length, count)
    const folder = temporaryFolder(t)
    for (const part of [0.3, 0.4, 0.2]) {
      const reached = new Promise<void>((resolve) => Object.assign(held, { reached: resolve }))
      ;[asked, held.at] = [0, Math.floor(total * part)]
      const killed = fetching(url, folder)
      await reached
      killed.kill('SIGKILL')
      await once(killed, 'exit')
    }
    held.at = Number.POSITIVE_INFINITY
    await ended(url, folder)
    assert.deepEqual(filesOf(folder), filesOf(undisturbed))
  })
})
