import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filesIn, withFileUrls } from './html-images.ts'
import { newUuid, typeId } from './ids.ts'
import { renderMarkdown } from './markdown.ts'
import type { Caller } from './threads.ts'

/** Short texts need no thread. */
const caller = { env: { tenantId: '' }, services: {} } as Caller
const known = typeId('file', newUuid(1))
const other = typeId('file', newUuid(2))
const kept = `file:${known}`
const render = (text: string, keeps?: (src: string) => boolean) =>
  renderMarkdown(caller, text, '/body', 1_000, keeps)
const withKnown = (text: string) => render(text, (src) => src === kept || !src.startsWith('file:'))

describe('an image of a file', () => {
  test('stays if the caller keeps it, in Markdown and in HTML', async () => {
    for (const text of [
      `![a "b"](file:${known})`,
      `![a "b"][1]\n\n[1]: file:${known}`,
      `<img alt='a "b"' src=file:${known}>`,
      `<img src="file:${known.replace('f', '&#102;')}" alt="a &quot;b&quot;">`,
    ])
      assert.deepEqual(filesIn(await withKnown(text)), [known], text)
    assert.equal(await withKnown(`![a](file:${known})`), `<p><img src="file:${known}" alt="a" /></p>`)
  })

  test('becomes its description otherwise, in any spelling', async () => {
    const bare = other.slice('file_'.length)
    for (const address of [
      `file:${other}`,
      `FILE:${known}`,
      `file:${known}/`,
      `file:${known}?x`,
      `file:///${known}`,
      `file://host/${known}`,
      `file:${known.toUpperCase()}`,
      `file:file%5f${bare}`,
      'file:',
      'file:/etc/passwd',
    ]) {
      assert.equal(await withKnown(`![a "b"](${address})`), '<p>a &quot;b&quot;</p>', address)
      assert.equal(await withKnown(`<img src="${address}" alt="a">`), 'a', address)
    }
    for (const src of [
      ` file:${known}`,
      `fi&#10;le:${other}`,
      `&#1;file:${other}`,
      `&#102;ile:${other}`,
      `&#102;ile:&#102;ile_${bare}`,
      `file&colon;${other}`,
      `fi<!-- -->le:${other}`,
      `fi\tle:${known}`,
    ]) {
      assert.equal(await withKnown(`<img src="${src}" alt="a">`), 'a', src)
      assert.equal(await withKnown(`<IMG ALT=a SRC='${src}' srcset="${src}" onerror=x>`), 'a', src)
    }
    assert.equal(
      await render(`![a](file:${known})![](file:${known})`),
      '<p>a</p>',
      'nothing is kept by default',
    )
  })

  test('is nothing but an image: links to files are removed', async () => {
    for (const text of [
      `[a](file:${known})`,
      `<file:${known}>`,
      `<a href="FILE:${known}">a</a>`,
      `<a href="&#102;ile:${known}">a</a>`,
      `<video src="file:${known}">a</video><p cite="file:${known}" src="file:${known}">b</p>`,
    ])
      assert.doesNotMatch(await withKnown(text), /href|(src|cite)=/i, text)
  })
})

describe('addresses of files', () => {
  const urlOf = (id: string) => `https://example.com/?a=1&b="${id}"`
  const url = (id: string) => `https://example.com/?a=1&amp;b=&quot;${id}&quot;`

  test('replace those of images, whatever their order and attributes', async () => {
    const html = await render(
      `![a](file:${known}) <img alt="1 > 0 src=" src="file:${other}" title="x"> ![](https://example.com)`,
      () => true,
    )
    assert.equal(
      withFileUrls(html, urlOf),
      `<p><img src="${url(known)}" alt="a" /> <img alt="1 &gt; 0 src=" src="${url(other)}" title="x" /> <img src="https://example.com" alt="" /></p>`,
    )
    assert.deepEqual(filesIn(html), [known, other])
  })

  test('replace nothing in texts and in other attributes', async () => {
    for (const text of [
      `a src="file:${known}" b`,
      `\`<img src="file:${known}">\``,
      `&lt;img src="file:${known}"&gt;`,
      `<img alt='<img src="file:${known}">'>`,
      `<img alt=' src="file:${known}"' src="https://example.com">`,
      `<p title='<img src="file:${known}"'>a</p>`,
      `<b src="file:${known}">a</b>`,
      `<img data-x src=x title=' src="file:${known}'>`,
    ]) {
      const html = await render(text, () => true)
      assert.equal(withFileUrls(html, urlOf), html)
      assert.deepEqual(filesIn(html), [], html)
    }
  })
})
