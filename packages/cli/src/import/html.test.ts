import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { markdownOf } from './html.ts'

const converted = (html: string): string =>
  markdownOf(html, (src) => (src.startsWith('cid:') ? `file:files/${src.slice(4)}` : null))

describe('HTML of a message becomes Markdown', () => {
  const cases: [name: string, html: string, markdown: string][] = [
    [
      'paragraphs and marks',
      '<p>Hello <b>you</b>,</p><p>this <i>is</i> <s>new</s>.</p>',
      'Hello **you**,\n\nthis *is* ~~new~~.',
    ],
    ['line breaks', 'one<br>two<br><br>three', 'one\\\ntwo\n\nthree'],
    [
      'nested lists',
      '<ul><li>a</li><li>b<ol><li>c</li><li>d</li></ol></li></ul>',
      '- a\n- b\n  1. c\n  2. d',
    ],
    ['quotations', '<blockquote><p>q</p><blockquote>r</blockquote></blockquote>', '> q\n>\n> > r'],
    ['code', '<p><code>a`b</code></p><pre>x\n  y</pre>', '``a`b``\n\n```\nx\n  y\n```'],
    ['headings and rules', '<h2>Title</h2><hr>', '## Title\n\n---'],
    [
      'links',
      '<a href="https://x.test/a_(b)">here</a> <a href="https://x.test">https://x.test</a>',
      '[here](https://x.test/a_%28b%29) <https://x.test>',
    ],
    ['links that are none', '<a href="javascript:alert(1)">here</a> <a href="#x">there</a>', 'here there'],
    ['images of the message', '<img src="cid:a.png" alt="shot">', '![shot](file:files/a.png)'],
    ['images of others to their descriptions', 'a<img src="https://spy.test/pixel.gif" alt="">b', 'ab'],
    [
      'texts that look like Markdown',
      '<p># 1</p><p>- a</p><p>1. b</p><p>*x* [y] snake_case _z_ &lt;b&gt; &amp;copy;</p>',
      '\\# 1\n\n\\- a\n\n1\\. b\n\n\\*x\\* \\[y\\] snake_case \\_z\\_ \\<b> \\&copy;',
    ],
    [
      'tables of values',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      'a | b\\\n1 | 2',
    ],
    ['tables for layout', '<table><tr><td><p>One</p></td></tr><tr><td>Two</td></tr></table>', 'One\n\nTwo'],
    ['nothing of styles and scripts', '<style>p{}</style><script>x</script><p>text</p><!-- c -->', 'text'],
    ['white space between blocks', '<div>\n  <div>a</div>\n\n  <div>b</div>\n</div>', 'a\n\nb'],
  ]
  for (const [name, html, markdown] of cases) test(name, () => assert.equal(converted(html), markdown))

  test('elements nested ten thousand deep', () => {
    for (const name of ['div', 'span', 'blockquote', 'ul', 'b'])
      assert.match(converted(`${`<${name}>`.repeat(10_000)}deep`), /deep/)
  })
})
