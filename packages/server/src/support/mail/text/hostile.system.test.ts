import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forwardOf } from './forward.ts'
import { markdownOf, maxMarkdown } from './markdown.ts'
import { safeHtml } from './safe-html.ts'
import { splitHtml, splitText } from './splitting.ts'

/**
 * Texts for which parsers take time that grows with the square of the length, or overflow their stack. A test of a
 * function that does either does not end, or fails.
 */
const shapes: Record<string, (count: number) => string> = {
  'nested elements': (n) => '<div>'.repeat(n),
  'nested elements with text': (n) => '<div>x'.repeat(n),
  'nested emphasis': (n) => '<b>'.repeat(n),
  'nested emphasis that is closed': (n) => `${'<b>'.repeat(n)}x${'</b>'.repeat(n)}`,
  'nested quotations': (n) => '<blockquote>x'.repeat(n),
  'nested lists': (n) => '<ul><li>x'.repeat(n),
  'unclosed tables': (n) => '<table><tr><td>x'.repeat(n),
  'unclosed cells': (n) => `<table border=1><tr>${'<th>x'.repeat(n)}`,
  'unclosed forms': (n) => '<form>x'.repeat(n),
  'line breaks': (n) => '<br>'.repeat(n),
  'end tags of nothing': (n) => `<i>${'</b>'.repeat(n)}`,
  'end tags in the wrong order': (n) => '<b><i>x</b></i>'.repeat(n),
  'changes of style': (n) => '<i>a</i><b>b</b>'.repeat(n),
  entities: (n) => '&amp;'.repeat(n),
  attributes: (n) => `<p ${'a="b" '.repeat(n)}>x`,
  'one long style': (n) => `<p style="${'a:b;'.repeat(n)}">x`,
  styles: (n) => '<p style="color:red;font-size:1px">x'.repeat(n),
  classes: (n) => `<p class="${'a '.repeat(n)}">x`,
  'unclosed tags': (n) => '<'.repeat(n),
  'unclosed comments': (n) => '<!--'.repeat(n),
  backticks: (n) => '`'.repeat(n),
  'characters of Markdown': (n) => '*_[](&!|~\\'.repeat(n),
  'quotation marks': (n) => '>'.repeat(n),
  'lines of quotation marks': (n) => '>\n'.repeat(n),
  'empty lines': (n) => '\n'.repeat(n),
  'white space': (n) => `${' '.repeat(n)}x`,
  'attribution lines': (n) => 'On 1 May 2026, a@b wrote:\n'.repeat(n),
  'header lines': (n) => 'From: a\n'.repeat(n),
  marks: (n) => '-----Original Message-----\n'.repeat(n),
  'marks with a sender': (n) => '---- Forwarded message ----\nFrom: a@b\n'.repeat(n),
  'commercial at signs': (n) => `---- Forwarded message ----\nFrom: ${'a@'.repeat(n)}\nTo: a`,
  'words that wrap': (n) => `${'x'.repeat(70)}\n`.repeat(n / 10),
}

const functions: Record<string, (text: string) => unknown> = {
  markdownOf: (text) => markdownOf(text, () => null),
  splitHtml,
  splitText,
  forwardOf: (text) => forwardOf(text, text),
  safeHtml: (text) => safeHtml(text, () => null),
}

const count = 20_000
/** A line of 20 quotations has 40 characters in front, and a character takes up to six as an entity. */
const longest = 45

describe('a hostile text is read to its end', () => {
  for (const [shape, of] of Object.entries(shapes)) {
    test(shape, () => {
      const text = of(count)
      for (const [name, run] of Object.entries(functions)) {
        const { length } = JSON.stringify(run(text))
        assert.ok(length < longest * text.length, `${name} makes ${length} characters of ${text.length}`)
      }
    })
  }
})

test('the Markdown of a mail has a bound', () => {
  const html = '<blockquote>'.repeat(20) + 'x<br>'.repeat(5 * count)
  assert.ok(markdownOf(html, () => null).length < maxMarkdown + 100)
  assert.ok(markdownOf('word '.repeat(maxMarkdown), () => null).length < 2 * maxMarkdown + 100)
})
