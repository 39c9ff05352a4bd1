import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { act, article, assertRefused, patch, published, shown } from '@backline/test/knowledge.ts'

const api = service()
const content = [
  'slug',
  'locale',
  'title',
  'body',
  'body_html',
  'excerpt',
  'collection_id',
  'author_id',
  'tags',
  'metadata',
  'former_slugs',
]
const only = (object: Record<string, unknown> | null, names: string[]) =>
  object && Object.fromEntries(names.map((name) => [name, object[name]]))

describe('draft and published', () => {
  test('a new article is a draft, and nothing is served', async () => {
    const { test } = await api.world()
    const draft = await article(test, { body: '**Hello**' })
    assert.partialDeepStrictEqual(draft, {
      ...{ status: 'draft', body_html: '<p><strong>Hello</strong></p>', published_version: null },
      ...{ published_at: null, has_unpublished_changes: false, helpful_count: 0, version: 1 },
    })
    assert.equal(await shown(test, draft, 'published'), null)
  })

  test('no field of what is served changes while its draft is edited, until that is published', async () => {
    const { test } = await api.world()
    const collection = succeeded(await test.post('/v1/kb/collections', { name: 'Cards' })).id
    const operator = succeeded(await test.post('/v1/operators', { name: 'Ada', email: 'ada@example.com' })).id
    const first = await published(test, { tags: ['one'], metadata: { a: '1' } })
    const served = await shown(test, first, 'published')
    assert.deepEqual(only(served, content), only(first, content))
    const edit = {
      ...{
        slug: 'another-slug',
        locale: 'de',
        title: 'Other',
        body: '# Other',
        excerpt: 'Other',
        tags: ['two'],
      },
      ...{ collection_id: collection, author_id: operator, metadata: { a: '2' } },
    }
    succeeded(await patch(test, first, { slug: 'a-slug-in-between' }))
    const edited = succeeded(await patch(test, first, edit))
    assert.partialDeepStrictEqual(edited, { ...edit, status: 'published', has_unpublished_changes: true })
    assert.deepEqual(only(await shown(test, first, 'published'), content), only(served, content))
    const list = succeeded(await test.get('/v1/kb/articles?view=published&locale=en&tag=one')).data
    assert.deepEqual(only(list[0], content), only(served, content))
    assert.deepEqual(succeeded(await test.get('/v1/kb/articles?view=published&locale=de')).data, [])
    const again = succeeded(await act(test, first, 'publish'))
    assert.partialDeepStrictEqual(again, { has_unpublished_changes: false, published_version: 2 })
    assert.deepEqual(only(await shown(test, first, 'published'), content), only(edited, content))
  })

  test('a draft that is edited back has no changes', async () => {
    const { test } = await api.world()
    const first = await published(test, { metadata: { a: '1', b: '2' } })
    for (const [there, back] of [
      [{ title: 'Other' }, { title: first.title }],
      [{ slug: 'other-slug' }, { slug: first.slug }],
      [{ metadata: { a: null } }, { metadata: { a: '1' } }],
    ]) {
      assert.equal(succeeded(await patch(test, first, there!)).has_unpublished_changes, true)
      assert.equal(succeeded(await patch(test, first, back!)).has_unpublished_changes, false)
    }
  })

  test('what is unpublished or archived is served no more; publishing brings it back', async () => {
    const { test } = await api.world()
    const first = await published(test)
    const draft = succeeded(await act(test, first, 'unpublish'))
    assert.partialDeepStrictEqual(draft, { status: 'draft', published_version: null, published_at: null })
    assert.equal(await shown(test, first, 'published'), null)
    assert.equal(succeeded(await act(test, first, 'archive')).status, 'archived')
    assert.partialDeepStrictEqual(succeeded(await act(test, first, 'publish')), {
      ...{ status: 'published', published_version: 2 },
    })
  })

  test('409 invalid_transition for unpublishing a draft and archiving twice, with what is possible', async () => {
    const { test } = await api.world()
    const draft = await article(test)
    const refused = await act(test, draft, 'unpublish')
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.params],
      [409, 'invalid_transition', { from: 'draft', action: 'unpublish', allowed: ['publish', 'archive'] }],
    )
    succeeded(await act(test, draft, 'archive'))
    for (const action of ['archive', 'unpublish']) {
      const again = await act(test, draft, action)
      assert.deepEqual([again.status, again.body.params.allowed], [409, ['publish']])
    }
  })

  test('422 for publishing without a title or a body, and for clearing them while it is to be published', async () => {
    const { test } = await api.world()
    for (const [fields, faults] of [
      [{ title: null }, ['/title']],
      [{ body: null }, ['/body']],
      [{ body: ' \n' }, ['/body']],
      [{ title: null, body: '' }, ['/title', '/body']],
    ] as const) {
      const draft = await article(test, fields)
      for (const body of [{}, { publish_at: '2100-01-01T00:00:00Z' }]) {
        const answer = await act(test, draft, 'publish', body)
        assert.equal(answer.status, 422)
        assert.deepEqual(
          answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
          faults,
        )
      }
    }
    const due = await article(test)
    succeeded(await act(test, due, 'publish', { publish_at: '2100-01-01T00:00:00Z' }))
    assertRefused(await patch(test, due, { body: null }), '/body', 'required')
  })
})

describe('versions', () => {
  test('each publication makes one, the latest first; one is restored as the draft, and served only when published', async () => {
    const { test } = await api.world()
    const first = await published(test, { title: 'One', body: '1', excerpt: 'first' })
    succeeded(await patch(test, first, { title: 'Two', body: '2', excerpt: null }))
    succeeded(await act(test, first, 'publish'))
    const { data } = succeeded(await test.get(`/v1/kb/articles/${first.id}/versions`))
    assert.deepEqual(
      data.map((each: Record<string, unknown>) => only(each, ['version', 'title', 'body'])),
      [
        { version: 2, title: 'Two', body: '2' },
        { version: 1, title: 'One', body: '1' },
      ],
    )
    assert.equal(data[1].published_at, first.published_at)
    assert.equal(data[1].published_by.type, 'api_key')
    const restored = succeeded(await act(test, first, 'restore', { version: 1 }))
    assert.partialDeepStrictEqual(restored, {
      ...{ title: 'One', body: '1', body_html: '<p>1</p>', excerpt: 'first' },
      ...{ published_version: 2, has_unpublished_changes: true },
    })
    assert.equal((await shown(test, first, 'published'))?.title, 'Two')
    assert.equal(succeeded(await act(test, first, 'publish')).published_version, 3)
  })

  test('422 for restoring one that there is not; 404 for the versions of no article', async () => {
    const { test } = await api.world()
    const first = await published(test)
    assertRefused(await act(test, first, 'restore', { version: 2 }), '/version', 'not_found')
    const none = await test.get('/v1/kb/articles/kba_01kah1vgm0e1tbm5ye8n2m9q7c/versions')
    assert.equal(none.status, 404)
  })

  test('numbers go on after a publication was taken back', async () => {
    const { test } = await api.world()
    const first = await published(test)
    succeeded(await act(test, first, 'unpublish'))
    assert.equal(succeeded(await act(test, first, 'publish')).published_version, 2)
  })

  test('of many who publish at once each makes a version of its own', async () => {
    const { test } = await api.world()
    const draft = await article(test)
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(test, draft, 'publish')))
    const numbers = answers.map((answer) => succeeded(answer).published_version)
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })
})

describe('slugs', () => {
  test('a former slug finds the article, which says so', async () => {
    const { test } = await api.world()
    const first = await published(test, { slug: 'old' })
    succeeded(await patch(test, first, { slug: 'new' }))
    for (const query of ['slug=old&locale=en', 'slug=old', 'slug=new&locale=EN']) {
      const { data } = succeeded(await test.get(`/v1/kb/articles?${query}`))
      assert.equal(data.length, 1, query)
      assert.partialDeepStrictEqual(data[0], { id: first.id, slug: 'new', former_slugs: ['old'] })
    }
    assert.deepEqual(succeeded(await test.get('/v1/kb/articles?slug=old&locale=de')).data, [])
    assert.deepEqual(succeeded(await patch(test, first, { slug: 'old' })).former_slugs, ['new'])
  })

  test('409 for one that another draft or served article has in the locale, not for one that it had', async () => {
    const { test } = await api.world()
    const first = await published(test, { slug: 'card' })
    const taken = async (fields: object) => {
      const answer = await test.post('/v1/kb/articles', { title: 'x', locale: 'en', ...fields })
      if (answer.status === 409) assert.deepEqual(answer.body.params, { id: first.id, field: 'slug' })
      return answer.status === 409
    }
    assert.equal(await taken({ slug: 'card' }), true)
    assert.equal(await taken({ slug: 'card', locale: 'EN' }), true)
    assert.equal(await taken({ slug: 'card', locale: 'de' }), false)
    succeeded(await patch(test, first, { slug: 'cards' }))
    assert.equal(await taken({ slug: 'card' }), true, 'It is still served')
    assert.equal(await taken({ slug: 'cards' }), true, 'It is in the draft')
    succeeded(await act(test, first, 'publish'))
    assert.equal(await taken({ slug: 'card' }), false)
    succeeded(await act(test, first, 'archive'))
    assert.equal(await taken({ slug: 'cards' }), true, 'An archived slug stays taken')
    const found = succeeded(await test.get('/v1/kb/articles?slug=card&locale=en')).data
    assert.notEqual(found[0].id, first.id, 'It is of the one that has it now')
  })

  test('of many who want one at once, one gets it', async () => {
    const { test } = await api.world()
    const made = await Promise.all(Array.from({ length: 4 }, () => article(test)))
    const answers = await Promise.all([
      ...made.map((each) => patch(test, each, { slug: 'wanted' })),
      ...made.map(() => test.post('/v1/kb/articles', { slug: 'wanted', locale: 'en' })),
    ])
    assert.equal(answers.filter(({ status }) => status < 300).length, 1)
    assert.equal(answers.filter(({ status }) => status === 409).length, 7)
  })

  test('two articles that swap their slugs one after the other do so', async () => {
    const { test } = await api.world()
    const [one, other] = [await article(test, { slug: 'a' }), await article(test, { slug: 'b' })]
    succeeded(await patch(test, one, { slug: 'c' }))
    succeeded(await patch(test, other, { slug: 'a' }))
    succeeded(await patch(test, one, { slug: 'b' }))
    for (const [slug, { id }] of [
      ['a', other],
      ['b', one],
      ['c', one],
    ] as const)
      assert.equal(succeeded(await test.get(`/v1/kb/articles?slug=${slug}`)).data[0].id, id)
  })

  test('made from the title, in any script, and never taken', async () => {
    const { test } = await api.world()
    const slugOf = async (title: string | null) =>
      succeeded(await test.post('/v1/kb/articles', { title, locale: 'en' })).slug
    assert.equal(await slugOf('Why was my card declined?'), 'why-was-my-card-declined')
    assert.match(await slugOf('Why was my card declined?'), /^why-was-my-card-declined-[0-9a-f]{12}$/)
    assert.equal(await slugOf('カードが拒否された'), 'カードが拒否された')
    assert.match(await slugOf('?!'), /^[0-9a-f]{12}$/)
    assert.match(await slugOf(null), /^[0-9a-f]{12}$/)
    assert.equal((await slugOf('x'.repeat(255))).length, 100)
    assert.equal(await slugOf('İstanbul şubesi'), 'istanbul-şubesi')
    const long = `a${'𠮷'.repeat(60)}`
    assert.equal(await slugOf(long), long.slice(0, 99), 'No half characters')
    assert.match(await slugOf(long), /^a𠮷{43}-[0-9a-f]{12}$/u)
  })

  test('422 for spaces, capitals, punctuation, and over 100 characters', async () => {
    const { test } = await api.world()
    for (const slug of ['a b', 'a/b', 'Ab', 'a?b', ' ', 'a\u00a0b', 'a\u3000b', '', 'a.b'])
      assert.equal((await test.post('/v1/kb/articles', { slug })).status, 422, slug)
    assertRefused(await test.post('/v1/kb/articles', { slug: 'x'.repeat(101) }), '/slug', 'too_long')
  })
})

describe('translations', () => {
  test('of an original, once in a locale', async () => {
    const { test } = await api.world()
    const original = await article(test)
    const german = await article(test, { locale: 'de', translation_of_id: original.id })
    assert.equal(german.translation_of_id, original.id)
    for (const locale of ['de', 'DE', 'en']) {
      const again = await test.post('/v1/kb/articles', { locale, translation_of_id: original.id })
      assert.deepEqual([again.status, again.body.code], [409, 'already_exists'], locale)
    }
    const deleted = await test.delete(`/v1/kb/articles/${original.id}`)
    assert.deepEqual([deleted.status, deleted.body.code], [409, 'resource_in_use'])
    succeeded(await patch(test, german, { translation_of_id: null }))
    assert.equal((await test.delete(`/v1/kb/articles/${original.id}`)).status, 204)
  })

  test('422 for a translation of a translation, of itself, and of an article that has some', async () => {
    const { test } = await api.world()
    const [original, other] = [await article(test), await article(test)]
    const german = await article(test, { locale: 'de', translation_of_id: original.id })
    for (const [whose, of] of [
      [other, german],
      [other, other],
      [original, other],
    ] as const)
      assertRefused(
        await patch(test, whose, { translation_of_id: of.id }),
        '/translation_of_id',
        'not_allowed',
      )
  })

  test('no chain comes of requests that meet', async () => {
    const { test } = await api.world()
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = [
        await article(test, { locale: 'en' }),
        await article(test, { locale: 'de' }),
        await article(test, { locale: 'fr' }),
      ]
      const answers = await Promise.all([
        patch(test, a, { translation_of_id: b.id }),
        patch(test, b, { translation_of_id: c.id }),
        patch(test, c, { translation_of_id: a.id }),
      ])
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    }
  })
})

test('422 for an unknown language, and for what does not exist', async () => {
  const { test } = await api.world()
  const missing = (prefix: string) => `${prefix}_01kah1vgm0e1tbm5ye8n2m9q7c`
  assertRefused(await test.post('/v1/kb/articles', { locale: 'zz' }), '/locale', 'not_allowed')
  assertRefused(await test.post('/v1/kb/articles', { locale: 'not a locale' }), '/locale', 'bad_format')
  for (const [name, id] of [
    ['collection_id', missing('kbc')],
    ['author_id', missing('op')],
    ['translation_of_id', missing('kba')],
  ] as const)
    assertRefused(await test.post('/v1/kb/articles', { [name]: id }), `/${name}`, 'not_found')
})

test('400 for lists of an unknown language', async () => {
  const { test } = await api.world()
  for (const list of [
    'kb/articles?',
    'kb/articles?view=published&',
    'kb/search?q=x&',
    'faqs?',
    'faqs?q=x&',
  ]) {
    const answer = await test.get(`/v1/${list}locale=zz`)
    assert.equal(answer.status, 400, list)
    assert.partialDeepStrictEqual(answer.body.errors, [{ parameter: 'locale', code: 'not_allowed' }])
  }
})

test('422 for a body over 512 KiB; as long as that is fine', async () => {
  const { test } = await api.world()
  assert.equal((await test.post('/v1/kb/articles', { body: 'x '.repeat(256 * 1024) })).status, 201)
  assertRefused(await test.post('/v1/kb/articles', { body: 'x'.repeat(512 * 1024 + 1) }), '/body', 'too_long')
  assertRefused(await test.post('/v1/kb/articles', { body: 'é'.repeat(256 * 1024 + 1) }), '/body', 'too_long')
})

test('the default language of the workspace is that of an article that does not say its own', async () => {
  const { test } = await api.world()
  assert.equal(succeeded(await test.post('/v1/kb/articles', { title: 'x' })).locale, 'en')
  succeeded(await test.patch('/v1/workspace', { default_language: 'pt-BR' }))
  assert.equal(succeeded(await test.post('/v1/kb/articles', { title: 'y' })).locale, 'pt-BR')
})

test('the author is the acting operator by default, and cannot be deleted', async () => {
  const { test } = await api.world()
  const { id } = succeeded(await test.post('/v1/operators', { name: 'Ada', email: 'ada@example.com' }))
  const draft = await test.post('/v1/kb/articles', { title: 'x' }, { 'backline-operator': id })
  assert.equal(succeeded(draft).author_id, id)
  assert.equal((await test.delete(`/v1/operators/${id}`)).status, 409)
})

test('tags are shown by their names now, filter, and cannot be deleted while an article has them', async () => {
  const { test } = await api.world()
  const first = await published(test, { tags: ['Cards', 'cards', 'VIP'] })
  assert.deepEqual(first.tags, ['Cards', 'VIP'])
  const [cards] = succeeded(await test.get('/v1/tags?sort=name')).data
  assert.equal((await test.delete(`/v1/tags/${cards.id}`)).status, 409)
  succeeded(await test.patch(`/v1/tags/${cards.id}`, { name: 'Payment cards' }))
  assert.deepEqual((await shown(test, first))?.tags, ['Payment cards', 'VIP'])
  assert.equal(succeeded(await test.get('/v1/kb/articles?tag=payment%20CARDS')).data.length, 1)
  succeeded(await patch(test, first, { tags: [] }))
  assert.equal((await test.delete(`/v1/tags/${cards.id}`)).status, 409, 'It is still served with it')
  succeeded(await act(test, first, 'publish'))
  assert.equal((await test.delete(`/v1/tags/${cards.id}`)).status, 204)
})
