import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import { queryTokens, searchTokens } from '../../../../platform/search/search-text.ts'
import { conversationSortKey } from './orders.ts'
import { conversationLeaf, conversationList } from './request.ts'
import type { SearchLimits } from './words.ts'

const api = service()

const words = ['Apple', 'apples', 'Äpfel', 'pear', 'pea', '10045', '10046', '東京都', 'com', 'Anna', 'an']
const limits: SearchLimits[] = [
  { walks: [3, 10, 20], frequentFrom: 2, fewest: 3, few: 10, counted: 10 },
  { walks: [1, 30, 100], frequentFrom: 1, fewest: 1, few: 100, counted: 100 },
  { walks: [5, 6, 7], frequentFrom: 5, fewest: 20, few: 1, counted: 1 },
]

type Found = { id: string; status: string; updated_at: string; texts: string[] }

/** Conversations with the texts that a search looks at: the subject, each message, and the names of the person. */
async function desk(client: Client, random: Random): Promise<Found[]> {
  const text = (most: number) =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(words)).join(' ')
  const people: { id: string; external_id: string }[] = []
  for (let i = 0; i < 12; i++) {
    const emails = [{ address: `${random.pick(['anna', 'apple', 'pear'])}.${i}@example.com` }]
    const known = random.chance(0.6) ? { name: text(2), emails } : {}
    people.push(succeeded(await client.post('/v1/end_users', { external_id: `eu-${i}`, ...known })))
  }
  const all: (Found & { person: string })[] = []
  for (let i = 0; i < 60; i++) {
    const { external_id } = random.pick(people)
    const subject = random.chance(0.5) ? text(3) : 'None'
    const { id } = await conversation(client, { external_user_id: external_id, subject })
    const texts = [subject]
    for (let n = random.below(3); n > 0; n--) {
      const body = text(4)
      await say(client, id, 'end_user', { body })
      texts.push(body)
    }
    if (random.chance(0.3)) await act(client, id, 'resolve')
    const { status, updated_at } = succeeded(await client.get(`/v1/conversations/${id}`))
    all.push({ id, status, updated_at, texts, person: external_id })
  }
  const present = new Map(people.map(({ external_id, id }) => [external_id, id]))
  for (const merged of people.slice(0, 3)) {
    const { id } = random.pick(people.slice(3))
    succeeded(await client.post(`/v1/end_users/${merged.id}/merge`, { into_id: id, keep_alias: true }))
    present.set(merged.external_id, id)
  }
  const names = new Map<string, string>()
  for (const [externalId, id] of present) {
    const { name, emails } = succeeded(await client.get(`/v1/end_users/${id}`))
    names.set(
      externalId,
      [name ?? '', ...emails.map((email: { address: string }) => email.address)].join(' '),
    )
  }
  return all.map(({ person, texts, ...row }) => ({ ...row, texts: [...texts, names.get(person)!] }))
}

/** A text has each word of a query, and one that begins with the last word. */
function meets(text: string, { tokens, last }: ReturnType<typeof queryTokens>): boolean {
  const has = searchTokens(text)
  return tokens.every((token) =>
    has.some((each) => (token === last ? each.startsWith(token) : each === token)),
  )
}

test('a search is what reading each text finds, in the order of the list, by each of its ways', async (t) => {
  const random = new Random(seedOf(t))
  const { test: client, environments } = await api.world()
  const all = await desk(client, random)
  const at = { tenantId: environments.test.tenantId, now: new Date().toISOString() }
  for (const _ of cases(rounds(150, 60))) {
    const length = 1 + random.below(2)
    const q = Array.from({ length }, () => random.pick([...words, 'example'])).join(random.pick([' ', '@']))
    const cut = random.chance(0.3) ? q.slice(0, -1) : q
    const query = queryTokens(cut)
    if (query.last === null) continue
    const status = random.pick([undefined, 'new', 'resolved'])
    const sort = random.pick(['-created_at', 'created_at', '-updated_at'] as const)
    const key = (row: Found) => (sort === '-updated_at' ? row.updated_at + row.id : row.id)
    const expected = all
      .filter((row) => (status ?? row.status) === row.status && row.texts.some((text) => meets(text, query)))
      .sort((one, other) => (key(one) < key(other) ? -1 : 1))
      .map(({ id }) => id)
    if (sort.startsWith('-')) expected.reverse()
    const filter = { all: status === undefined ? [] : [conversationLeaf('status', 'is', status)] }
    const search = random.pick(limits)
    const list = conversationList(api.db, at, filter, cut, { search })
    const found: string[] = []
    const shown = random.pick([2, 5, 100])
    for (let after: SortKey | null = null, more = true; more; ) {
      const page = await list.page({ sort, limit: shown + 1, after })
      assert.ok(Array.isArray(page))
      const rows = page.slice(0, shown)
      found.push(...rows.map(({ id }) => typeId('conv', id)))
      more = page.length > shown
      if (more) after = conversationSortKey(rows.at(-1)!, sort)
    }
    assert.deepEqual(found, expected, JSON.stringify({ cut, status, sort, shown, search }))
    assert.equal(await list.count(1_000), expected.length)
  }
})
