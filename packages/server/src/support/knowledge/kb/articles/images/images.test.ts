import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { announce, file } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { act, article, assertRefused, patch, published, shown } from '@backline/test/knowledge.ts'
import { newUuid, typeId, uuidOf } from '../../../../../platform/kernel/ids.ts'
import { publicUrl } from '../../../../../platform/kernel/public-url.ts'
import { sql } from '../../../../../platform/postgres/sql.ts'
import { findPublicImage } from './queries.ts'

const api = service()

const image = ({ id }: Body, alt = 'a') => `![${alt}](file:${id})`
const shownImage = (article: Body, { id }: Body, alt = 'a') =>
  `<img src="${publicUrl(`/v1/kb/articles/${article.id}/files/${id}`)}" alt="${alt}" />`

/** The number of articles and messages that use a file; null once it is deleted. */
async function usesOf({ id }: Body): Promise<number | null> {
  const [row] = await api.db.rows<{ use_count: number; in_knowledge_base: boolean }>(
    sql`select use_count, in_knowledge_base from files where id = ${uuidOf('file', id)}`,
  )
  assert.equal(row?.in_knowledge_base ?? true, (row?.use_count ?? 1) > 0)
  return row?.use_count ?? null
}
const isPublic = async (article: Body, { id }: Body): Promise<boolean> =>
  (await findPublicImage(api.db, uuidOf('kba', article.id)!, uuidOf('file', id)!)) !== null
const post = (client: Client, body: string) => client.post('/v1/kb/articles', { title: 'x', body })

describe('an article', () => {
  test('shows files as images, in the draft, the published version and events', async () => {
    const { test } = await api.world()
    const one = await file(api, test)
    const made = await article(test, { body: `See ${image(one)}.` })
    const html = `<p>See ${shownImage(made, one)}.</p>`
    assert.equal(made.body_html, html)
    assert.equal((await shown(test, made))!.body_html, html)
    assert.equal(succeeded(await act(test, made, 'publish')).body_html, html)
    assert.equal((await shown(test, made, 'published'))!.body_html, html)
    const list = succeeded(await test.get('/v1/kb/articles?view=published'))
    assert.equal(list.data[0].body_html, html)
    const events = succeeded(await test.get('/v1/events?types=kb_article.*')).data
    assert.deepEqual(
      events.map(({ data }: Body) => data.object.body_html),
      [html, html],
    )
  })

  test('uses a file once, whatever the number of its images and versions', async () => {
    const { test } = await api.world()
    const [one, two] = [await file(api, test), await file(api, test)]
    const made = await published(test, { body: `${image(one)} ${image(one, 'again')}` })
    assert.equal(await usesOf(one), 1)
    succeeded(await patch(test, made, { body: `${image(two)}` }))
    succeeded(await patch(test, made, { body: `${image(two)} ${image(one)}` }))
    succeeded(await patch(test, made, { title: 'Another title' }))
    const other = await article(test, { body: image(one) })
    assert.deepEqual([await usesOf(one), await usesOf(two)], [2, 1])
    succeeded(await test.delete(`/v1/kb/articles/${other.id}`))
    assert.deepEqual([await usesOf(one), await usesOf(two)], [1, 1])
  })

  test('keeps the files of its versions, which can be restored, until it is deleted', async () => {
    const { test } = await api.world()
    const one = await file(api, test)
    const made = await published(test, { body: image(one) })
    succeeded(await patch(test, made, { body: 'No image' }))
    succeeded(await act(test, made, 'publish'))
    assert.equal((await test.delete(`/v1/files/${one.id}`)).body.code, 'resource_in_use')
    const restored = succeeded(await act(test, made, 'restore', { version: 1 }))
    assert.equal(restored.body_html, `<p>${shownImage(made, one)}</p>`)
    assert.equal(await usesOf(one), 1)
    succeeded(await test.delete(`/v1/kb/articles/${made.id}`))
    assert.equal(await usesOf(one), null)
    const [{ data, type }] = succeeded(await test.get('/v1/events?types=file.deleted')).data
    assert.deepEqual([type, data.object.id], ['file.deleted', one.id])
  })

  test('refuses files that do not exist here, belong to a conversation, or are not ready', async () => {
    const { test, live } = await api.world()
    const mine = await file(api, test)
    const unknown = { id: typeId('file', newUuid(1)) }
    const foreign = await file(api, live)
    const attached = await file(api, test)
    const { id } = await conversation(test)
    await say(test, id, 'end_user', { attachments: [{ file_id: attached.id }] })
    const awaited = await announce(test)
    const made = await article(test, { body: image(mine) })
    for (const [each, code] of [
      [unknown, 'not_found'],
      [foreign, 'not_found'],
      [attached, 'not_found'],
      [awaited, 'not_allowed'],
    ] as const) {
      const body = `${image(mine)} <img src="file:${each.id}">`
      for (const answer of [await post(test, body), await patch(test, made, { body })]) {
        assertRefused(answer, '/body', code)
        assert.match(answer.body.errors[0].detail, new RegExp(each.id))
      }
    }
    assert.deepEqual(await shown(test, made), made)
    assert.equal(await usesOf(mine), 1)
    succeeded(await post(test, `\`${image(unknown)}\` [a](file:${unknown.id}) ![b](file:c)`))
  })

  test('counts each article once when many begin to show a file at the same time', async () => {
    const { test } = await api.world()
    const one = await file(api, test)
    const made = await article(test)
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => article(test, { body: image(one) })),
      ...Array.from({ length: 5 }, (_, i) => patch(test, made, { body: `${i} ${image(one)}` })),
    ])
    assert.equal(answers.length, 10)
    assert.equal(await usesOf(one), 6)
  })
})

test('an image is public while the published version of its article shows it', async () => {
  const { test } = await api.world()
  const [one, two] = [await file(api, test), await file(api, test)]
  const made = await article(test, { body: image(one) })
  assert.ok(!(await isPublic(made, one)), 'a draft')
  succeeded(await act(test, made, 'publish'))
  assert.ok(await isPublic(made, one))
  assert.ok(!(await isPublic(made, two)), 'another file')
  assert.ok(!(await isPublic(await published(test, { body: image(two) }), one)), 'another article')
  succeeded(
    await patch(test, made, { body: `\`<img src="file:${one.id}">\` src="file:${one.id}" ${image(two)}` }),
  )
  assert.ok((await isPublic(made, one)) && !(await isPublic(made, two)), 'before the draft is published')
  succeeded(await act(test, made, 'publish'))
  assert.ok(!(await isPublic(made, one)), 'only its text names the file')
  assert.ok(await isPublic(made, two))
  succeeded(await act(test, made, 'unpublish'))
  assert.ok(!(await isPublic(made, two)), 'unpublished')
  succeeded(await act(test, made, 'publish'))
  succeeded(await act(test, made, 'archive'))
  assert.ok(!(await isPublic(made, two)), 'archived')
})
