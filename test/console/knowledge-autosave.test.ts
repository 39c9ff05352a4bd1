import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backline, type KbArticle } from '@backline/sdk/index.ts'
import { service } from '@backline/test/harness.ts'
import { fieldsOf, patchOf } from '../../packages/console/src/knowledge/editor/fields.ts'
import { Autosave, type Unsaved } from '../../packages/console/src/knowledge/shared/autosave.ts'

const api = service()
type Fields = ReturnType<typeof fieldsOf>

/** A draft of a new article, another client that changes the article, and the text that a reload would find. */
async function written() {
  const { test: client } = await api.world()
  const backline = new Backline({ apiKey: client.key, baseUrl: api.url })
  const article = await backline.kb.articles.create({ title: 'Cards', body: 'One' })
  const kept: { unsaved: Unsaved<Fields> | null } = { unsaved: null }
  const openDraft = (item: KbArticle) =>
    new Autosave<KbArticle, Fields>({
      item,
      fieldsOf,
      write: (patch, options) => backline.kb.articles.update(item.id, patchOf(patch), options),
      read: async () => backline.kb.articles.retrieve(item.id),
      isAutomatic: () => false,
      store: {
        read: () => kept.unsaved,
        write: (unsaved) => {
          kept.unsaved = structuredClone(unsaved)
        },
        clear: () => {
          kept.unsaved = null
        },
      },
    })
  const read = async () => backline.kb.articles.retrieve(article.id)
  return { backline, article, draft: openDraft(article), openDraft, kept, read }
}

test('A saved draft is on the server, and nothing is left to save', async () => {
  const { draft, kept, read } = await written()
  draft.change({ body: 'Two', tags: ['cards'] })
  assert.equal(draft.snapshot().phase, 'unsaved')
  assert.equal(kept.unsaved?.fields.body, 'Two')
  await draft.save()
  assert.equal(draft.snapshot().phase, 'saved')
  assert.equal(kept.unsaved, null)
  assert.partialDeepStrictEqual(await read(), { body: 'Two', tags: ['cards'] })
})

test('A field that only the other person changed is taken over, and both changes are saved', async () => {
  const { backline, article, draft, read } = await written()
  await backline.kb.articles.update(article.id, { title: 'All about cards' })
  draft.change({ body: 'Two' })
  await draft.save()
  assert.equal(draft.snapshot().fields.title, 'All about cards')
  assert.partialDeepStrictEqual(await read(), { title: 'All about cards', body: 'Two' })
})

test('A field that both changed is a conflict, which keeps both texts until the writer chooses', async () => {
  const { backline, article, draft, read } = await written()
  await backline.kb.articles.update(article.id, { title: 'Theirs', body: 'Theirs' })
  draft.change({ title: 'Mine', body: 'Mine' })
  await assert.rejects(draft.save())
  assert.partialDeepStrictEqual(draft.snapshot(), { phase: 'conflict', conflicts: ['title', 'body'] })
  assert.equal((await read()).body, 'Theirs')
  draft.resolve(new Set(['body'] as const))
  await draft.save()
  assert.partialDeepStrictEqual(await read(), { title: 'Theirs', body: 'Mine' })
  assert.equal(draft.snapshot().fields.title, 'Theirs')
})

test('A refused field is named and does not keep the others from being saved', async () => {
  const { draft, read } = await written()
  draft.change({ slug: 'not a slug', body: 'Two' })
  await assert.rejects(draft.save())
  await assert.rejects(draft.save())
  const { refusals, phase } = draft.snapshot()
  assert.equal(phase, 'failed')
  assert.equal(refusals.slug?.value, 'not a slug')
  assert.equal((await read()).body, 'Two')
  draft.change({ slug: 'a-slug' })
  await draft.save()
  assert.equal((await read()).slug, 'a-slug')
})

test('Unsaved text is offered again after a reload, merged with what happened meanwhile', async () => {
  const { backline, article, draft, openDraft, read } = await written()
  draft.change({ body: 'Two' })
  const changed = await backline.kb.articles.update(article.id, { title: 'All about cards' })
  const reopened = openDraft(changed)
  assert.partialDeepStrictEqual(reopened.snapshot(), {
    wasRestored: true,
    phase: 'unsaved',
    fields: { title: 'All about cards', body: 'Two' },
  })
  await reopened.save()
  assert.partialDeepStrictEqual(await read(), { title: 'All about cards', body: 'Two' })
})

test('A space at the end of the title stays in the form although the server may store another text', async () => {
  const { draft } = await written()
  draft.change({ title: 'Cards and ' })
  await draft.save()
  assert.partialDeepStrictEqual(draft.snapshot(), { phase: 'saved', fields: { title: 'Cards and ' } })
})

test('Discarded changes are neither in the form nor offered again', async () => {
  const { article, draft, openDraft, kept } = await written()
  draft.change({ body: 'Two' })
  draft.discard()
  assert.equal(draft.snapshot().fields.body, 'One')
  assert.equal(kept.unsaved, null)
  assert.equal(openDraft(article).snapshot().wasRestored, false)
})
