import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { interceptHomes } from '@backline/test/intercept.ts'
import { act, patch, published, search, titlesOf } from '@backline/test/knowledge.ts'

const api = service()

describe('words of any language', () => {
  const texts = [
    ['de', 'Rückgabe und Größe', 'Wie schicke ich Schuhe zurück, die zu groß sind?'],
    ['pt', 'Devolução de cartões', 'Como faço para devolver um cartão que não funciona?'],
    ['tr', 'İstanbul şubesi', 'Iğdır ve Şırnak için kargo ücreti nasıl ödenir?'],
    ['ru', 'Возврат денег', 'Ещё один способ вернуть средства на счёт'],
    ['ja', '返金の方法', 'カードが拒否された場合はサポートへご連絡ください'],
    ['ar', 'استرداد الأموال', 'كيف يمكنني إعادة المنتج الذي اشتريته'],
    ['th', 'วิธีคืนเงิน', 'บัตรของฉันถูกปฏิเสธต้องทำอย่างไร'],
    ['ko', '환불 방법', '카드가 거절되었을 때'],
  ]

  test('are found whole, in any case, with or without accents, and by their beginnings', async () => {
    const { test } = await api.world()
    for (const [locale, title, body] of texts) await published(test, { locale, title, body })
    for (const [locale, ...queries] of [
      ['de', 'rückgabe', 'RUCKGABE', 'grosse', 'Größ', 'schuh', 'zurück'],
      ['pt', 'devolucao', 'DEVOLUÇÃO', 'cartoes', 'cart', 'nao funciona', 'devolver um cart'],
      ['tr', 'istanbul', 'İSTANBUL', 'ISTANBUL', 'subesi', 'sirnak', 'ıgdır', 'odenir', 'karg'],
      ['ru', 'возврат', 'ВОЗВРАТ ДЕНЕГ', 'еще', 'счет', 'вернуть сред'],
      ['ja', '返金', '返金の方法', '方法', '拒否', 'カード', 'カードが拒否', 'ｶｰﾄﾞ'],
      ['ar', 'استرداد', 'الأموال', 'الاموال', 'اِسْتِرداد', 'اشتر'],
      ['th', 'คืนเงิน', 'บัตร', 'ปฏิเสธ'],
      ['ko', '환불', '환불 방', '카드가'],
    ] as const)
      for (const query of queries) {
        const found = await search(test, query)
        assert.equal(found[0]?.article.locale, locale, query)
      }
  })

  test('are found misspelt', async () => {
    const { test } = await api.world()
    for (const [locale, title, body] of texts) await published(test, { locale, title, body })
    for (const [locale, ...queries] of [
      ['de', 'rükgabe', 'Rueckgabe', 'schhue', 'zurükc'],
      ['pt', 'devoluçao', 'devlução', 'funcoina'],
      ['tr', 'istnabul', 'kagro', 'odeniyr'],
      ['ru', 'вовзрат', 'средсва', 'спосб'],
      ['ar', 'استراد', 'المنتح'],
    ] as const)
      for (const query of queries) {
        const found = await search(test, query)
        assert.equal(found[0]?.article.locale, locale, query)
      }
  })
})

describe('what is found', () => {
  test('is what is served: no draft, nothing that was taken back or archived', async () => {
    const { test } = await api.world()
    const first = await published(test, { title: 'Zebra', body: 'stripes' })
    succeeded(await patch(test, first, { title: 'Giraffe', body: 'spots' }))
    assert.deepEqual(await search(test, 'giraffe'), [])
    assert.deepEqual(titlesOf(await search(test, 'zebra stripes')), ['Zebra'])
    succeeded(await act(test, first, 'publish'))
    assert.deepEqual(await search(test, 'zebra'), [])
    const [found] = await search(test, 'giraffe')
    assert.deepEqual(Object.keys(found), ['article', 'snippet', 'score'])
    assert.partialDeepStrictEqual(found.article, { id: first.id, title: 'Giraffe', published_version: 2 })
    for (const action of ['archive', 'publish', 'unpublish']) {
      succeeded(await act(test, first, action))
      assert.equal((await search(test, 'giraffe')).length, action === 'publish' ? 1 : 0, action)
    }
    succeeded(await act(test, first, 'publish'))
    assert.equal((await test.delete(`/v1/kb/articles/${first.id}`)).status, 204)
    assert.deepEqual(await search(test, 'giraffe'), [])
  })

  test('is not what is taken back between the finding and the reading', async () => {
    const { test } = await api.world()
    const [kept, gone] = [
      await published(test, { title: 'Zebra' }),
      await published(test, { title: 'Zebra' }),
    ]
    let taken = false
    const end = interceptHomes(api.db, ({ rows }) => ({
      rows: async (query) => {
        if (!taken && /from unnest.* as best/s.test(query.strings.join())) {
          taken = true
          succeeded(await act(test, gone, 'unpublish'))
        }
        return rows(query)
      },
    }))
    try {
      const found = await search(test, 'zebra')
      assert.deepEqual(
        found.map(({ article }) => article.id),
        [kept.id],
      )
      assert.ok(taken)
    } finally {
      end()
    }
  })

  test('comes in order: title before excerpt before body, whole words before beginnings', async () => {
    const { test } = await api.world()
    await published(test, { title: 'In the body', body: 'refund' })
    await published(test, { title: 'In the excerpt', excerpt: 'A refund' })
    await published(test, { title: 'Refunds begin with it' })
    await published(test, { title: 'Your refund' })
    const found = await search(test, 'refund')
    assert.deepEqual(titlesOf(found), [
      'Your refund',
      'Refunds begin with it',
      'In the excerpt',
      'In the body',
    ])
    const scores = found.map(({ score }) => score)
    assert.deepEqual(scores, scores.toSorted().reverse())
    assert.ok(scores.every((score) => score > 0 && score <= 1))
  })

  test('has all words if anything does, else any of them, rare ones first', async () => {
    const { test } = await api.world()
    for (let i = 0; i < 5; i++) await published(test, { title: `How to do thing ${i}` })
    await published(test, { title: 'Parachute' })
    assert.deepEqual(titlesOf(await search(test, 'how to do thing 3')), ['How to do thing 3'])
    assert.equal(titlesOf(await search(test, 'how to fold a parachute'))[0], 'Parachute')
  })

  test('is of the language, or what it falls back to, each once in the nearest', async () => {
    const { test } = await api.world()
    succeeded(await test.patch('/v1/workspace', { default_language: 'en' }))
    const original = await published(test, { title: 'Pix one', locale: 'en' })
    const translated = { title: 'Pix um', translation_of_id: original.id }
    await published(test, { ...translated, locale: 'pt' })
    await published(test, { ...translated, title: 'Pix um do Brasil', locale: 'pt-BR' })
    await published(test, { title: 'Pix two', locale: 'en' })
    await published(test, { title: 'Pix drei', locale: 'de' })
    const found = async (locale: string) =>
      titlesOf(await search(test, 'pix', `&locale=${locale}`)).toSorted()
    assert.deepEqual(await found('pt-BR'), ['Pix two', 'Pix um do Brasil'])
    assert.deepEqual(await found('pt'), ['Pix two', 'Pix um'])
    assert.deepEqual(await found('PT-pt'), ['Pix two', 'Pix um'])
    assert.deepEqual(await found('de'), ['Pix drei', 'Pix one', 'Pix two'])
    assert.equal((await search(test, 'pix')).length, 5)
  })

  test('can be confined to a collection', async () => {
    const { test } = await api.world()
    const { id } = succeeded(await test.post('/v1/kb/collections', { name: 'Cards' }))
    await published(test, { title: 'Card one', collection_id: id })
    await published(test, { title: 'Card two' })
    assert.deepEqual(titlesOf(await search(test, 'card', `&collection_id=${id}`)), ['Card one'])
  })

  test('is in pages that go on where the last one ended, by the same reading of the query', async () => {
    const { test } = await api.world()
    for (let i = 0; i < 12; i++) await published(test, { title: `Parcel ${i}`, body: i % 2 ? 'parcel' : 'x' })
    for (const query of ['parcel', 'prcel', 'parcel unheardof']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const page: Body = succeeded(
          await test.get(`/v1/kb/search?q=${encodeURIComponent(query)}&limit=5${cursor}`),
        )
        seen.push(...titlesOf(page.data))
        cursor = page.has_more ? `&cursor=${page.next_cursor}` : ''
      } while (cursor !== '')
      assert.equal(seen.length, 12, query)
      assert.equal(new Set(seen).size, 12, query)
      const { total } = succeeded(
        await test.get(`/v1/kb/search?q=${encodeURIComponent(query)}&include=total`),
      )
      assert.equal(total, 12)
    }
  })

  test('is seen once in a walk, whatever is published meanwhile', async () => {
    const { test } = await api.world()
    const publish = (title: string) => published(test, { title, body: 'x' })
    for (let i = 0; i < 6; i++) for (const word of ['Parcel', 'Letter']) await publish(`${word} ${i}`)
    const before = titlesOf(await search(test, 'parcel letter'))
    const meanwhile = ['Parzel', 'Pircel', 'Parcel', 'Parcel', 'Parcel'].map((word, i) => `${word} new ${i}`)
    for (const [query, expected] of [
      ['parcel letter', before],
      ['paxcel', before.filter((title) => title.startsWith('Parcel'))],
    ] as const) {
      const first = succeeded(await test.get(`/v1/kb/search?q=${encodeURIComponent(query)}&limit=3`))
      for (const title of meanwhile) await publish(title)
      const rest: Body = succeeded(
        await test.get(`/v1/kb/search?q=${encodeURIComponent(query)}&limit=100&cursor=${first.next_cursor}`),
      )
      const seen = titlesOf([...first.data, ...rest.data]).filter((title) => !meanwhile.includes(title))
      assert.deepEqual(seen, expected, query)
    }
  })

  test('is everything, the latest first, without a query', async () => {
    const { test } = await api.world()
    for (const title of ['One', 'Two']) await published(test, { title })
    assert.deepEqual(titlesOf(succeeded(await test.get('/v1/kb/search')).data), ['Two', 'One'])
  })
})

describe('the snippet', () => {
  const snippetOf = async (body: string, query: string) => {
    const { test } = await api.world()
    await published(test, { body })
    return (await search(test, query))[0].snippet as string
  }

  test('marks what was found, and escapes everything else', async () => {
    assert.equal(
      await snippetOf('Cards <b>&</b> `<script>alert("cards")</script>` *Cardinal*', 'card'),
      '<mark>Cards</mark> &amp; &lt;script&gt;alert(&quot;<mark>cards</mark>&quot;)&lt;/script&gt; <mark>Cardinal</mark>',
    )
    assert.equal(await snippetOf('Die Größe', 'grosse'), 'Die <mark>Größe</mark>')
    assert.equal(await snippetOf('a refund', 'refnud'), 'a <mark>refund</mark>')
    assert.equal(
      await snippetOf('銀行のカードが拒否された', 'カードが拒否'),
      '銀行の<mark>カードが拒否</mark>された',
    )
    assert.equal(await snippetOf('東京都の本店です。', '東京'), '<mark>東京</mark>都の本店です。')
  })

  test('is the part of the text where it was found', async () => {
    const snippet = await snippetOf(`${'before '.repeat(200)}needle${' after'.repeat(200)}`, 'needle')
    assert.match(snippet, /^&hellip; before .*<mark>needle<\/mark> after .*after &hellip;$/)
    assert.ok(snippet.length < 250)
  })
})

describe('queries', () => {
  const status = async (client: Client, query: string) =>
    (await client.get(`/v1/kb/search?q=${encodeURIComponent(query)}`)).status

  test('400 for one without a letter or digit, and one that is too long', async () => {
    const { test } = await api.world()
    for (const query of ['', ' ', '?!', '"', '"\'"', '…', '%', '\u{1f600}', '()&|!:*<->', 'x'.repeat(501)])
      assert.equal(await status(test, query), 400, query)
    assert.equal(await status(test, 'x'.repeat(5_000)), 400)
    const refused = await test.get('/v1/kb/search?q=%3F')
    assert.partialDeepStrictEqual(refused.body.errors, [{ parameter: 'q', code: 'bad_format' }])
    assert.ok([400, 414].includes(await status(test, 'x'.repeat(10_000))))
    assert.equal((await test.get('/v1/kb/search?q=a&locale=zz')).status, 400)
  })

  test('200 for whatever else there may be in one', async () => {
    const { test } = await api.world()
    await published(test)
    for (const query of [
      'unbalanced "quotes',
      "it's",
      "a' & 'b",
      '\\',
      "a\\'b",
      'a:* & !b | (c <-> d)',
      'a'.repeat(500),
      Array.from({ length: 250 }, (_, i) => String.fromCharCode(97 + (i % 26))).join(' '),
      '\u0301a',
      'ﷺ'.repeat(100),
      'a\u{1f468}\u200d\u{1f469}b',
      "'; drop table kb_articles; --",
    ])
      assert.ok([200, 400].includes(await status(test, query)), query)
  })
})
