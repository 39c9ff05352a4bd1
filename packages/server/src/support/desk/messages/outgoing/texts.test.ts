import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOf } from '../../../mail/text/markdown.ts'
import { splitHtml, splitText } from '../../../mail/text/splitting.ts'
import { mailHtml, mailText } from './texts.ts'

const attribution = 'On 1 May 2026 at 10:00, Jane <jane@example.com> wrote:'
const link = { name: 'a <b>\n.pdf', url: 'https://support.example.com/f?a=1&b=2', sizeBytes: 12_345_678 }

test('the text has body, links, signature and quotation, in this order', () => {
  const text = mailText({
    body: 'Hello,\r\n\r\nhere it is.\n',
    signature: 'Max\nExample Ltd',
    quoted: 'Where?\n\n> Older',
    attribution,
    links: [link],
  })
  assert.equal(
    text,
    [
      'Hello,\n\nhere it is.',
      'a <b> .pdf (12.3 MB): https://support.example.com/f?a=1&b=2',
      '-- \nMax\nExample Ltd',
      `${attribution}\n> Where?\n>\n>> Older\n`,
    ].join('\n\n'),
  )
})

test('a text of a body alone is the body', () => {
  const text = mailText({ body: 'Hello', signature: null, quoted: null, attribution: null, links: [] })
  assert.equal(text, 'Hello\n')
})

const parts = {
  bodyHtml: '<p>Hello</p>',
  signatureHtml: '<p>Max</p>',
  quotedHtml: '<p>Where?</p>',
  attribution,
  links: [link],
}

test('the HTML shows body, links, signature and quotation, and loads nothing', () => {
  const html = mailHtml(parts)
  const shown = markdownOf(html, () => null)
  assert.match(shown, /^Hello\n\n- \[a \\<b> \.pdf\]\(https:\/\/support/)
  assert.match(shown, /Max(?:.|\n)*Jane(?:.|\n)*> Where\?$/)
  assert.doesNotMatch(html, /<(?:link|img|style|script)|url\(|src=/)
})

test('names and addresses of files cannot add elements to the HTML', () => {
  const html = mailHtml({
    ...parts,
    links: [{ name: '<img src=x>', url: 'https://x/"><img>', sizeBytes: 1 }],
  })
  assert.doesNotMatch(html, /<img/)
})

test('the quotation that it writes is the history that it cuts', () => {
  const text = mailText({ body: 'Hello', signature: null, quoted: 'Where?', attribution, links: [] })
  assert.deepEqual(splitText(text), { body: 'Hello', quoted: `${attribution}\n> Where?` })
  const split = splitHtml(mailHtml({ ...parts, links: [], signatureHtml: null }))
  assert.equal(
    markdownOf(split.html, () => null),
    'Hello',
  )
  assert.match(
    markdownOf(split.quotedHtml!, () => null),
    /> Where\?$/,
  )
})
