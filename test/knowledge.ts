import assert from 'node:assert/strict'
import { type Body, succeeded } from './desk.ts'
import type { Answer, Client } from './harness.ts'

let counter = 0

/** Creates an article, as a draft by default. */
export async function article(client: Client, fields: object = {}, publish = false): Promise<Body> {
  const named = { slug: `article-${++counter}`, title: 'A title', body: 'A body', locale: 'en' }
  const draft = succeeded(await client.post('/v1/kb/articles', { ...named, ...fields }))
  return publish ? succeeded(await act(client, draft, 'publish')) : draft
}

export const published = (client: Client, fields: object = {}): Promise<Body> => article(client, fields, true)

export const act = (client: Client, { id }: Body, action: string, body: object = {}): Promise<Answer> =>
  client.post(`/v1/kb/articles/${id}/${action}`, body)

export const patch = (client: Client, { id }: Body, body: object): Promise<Answer> =>
  client.patch(`/v1/kb/articles/${id}`, body)

/** Returns the draft or the published article; null if nothing is published. */
export async function shown(client: Client, { id }: Body, view = 'draft'): Promise<Body | null> {
  const answer = await client.get(`/v1/kb/articles/${id}?view=${view}`)
  return answer.status === 404 ? null : succeeded(answer)
}

/** Returns the results of a search, best first. */
export async function search(client: Client, query: string, rest = ''): Promise<Body[]> {
  return succeeded(await client.get(`/v1/kb/search?q=${encodeURIComponent(query)}${rest}`)).data
}

export const titlesOf = (results: Body[]): string[] => results.map((result) => result.article.title)

export function assertRefused({ status, body, text }: Answer, pointer: string, code: string): void {
  assert.equal(status, 422, text)
  assert.partialDeepStrictEqual(body.errors, [{ pointer, code }])
  assert.equal(body.errors.length, 1, text)
}
