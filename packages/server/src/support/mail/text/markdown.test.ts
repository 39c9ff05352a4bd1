import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DomUtils, parseDocument } from 'htmlparser2'
import { toHtml } from '../../../platform/kernel/markdown.ts'
import { markdownOf } from './markdown.ts'

const none = () => null

const wordsOf = (html: string) =>
  DomUtils.textContent(parseDocument(html)).replace(/[\s\u200b\u00ad\ufeff]/g, '')

const rendered = (markdown: string) => {
  const result = toHtml(markdown, 1e7)
  assert.ok('html' in result, 'renders')
  return result.html
}

const cases: [outcome: string, html: string, markdown: string][] = [
  ['paragraphs are separated by empty lines', '<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['line breaks stay', 'One<br>Two<br>', 'One  \nTwo'],
  ['two line breaks make a paragraph', 'One<br><br>Two', 'One\n\nTwo'],
  ['many line breaks make one paragraph', 'One<br><br><br><br>Two', 'One\n\nTwo'],
  [
    'lines of Gmail stay',
    '<div>One</div><div>Two</div><div><br></div><div>Three</div>',
    'One  \nTwo\n\nThree',
  ],
  [
    'lines of Outlook stay',
    '<p class=MsoNormal>One<o:p></o:p></p><p class=MsoNormal>Two</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Three</p>',
    'One  \nTwo\n\nThree',
  ],
  [
    'paragraphs without margin are lines',
    '<p style="margin:0">One</p><p style="margin: 0px">Two</p>',
    'One  \nTwo',
  ],
  ['white space is one space', '<p>  One \n\t two&nbsp;&nbsp; three</p>', 'One two three'],
  [
    'text with kept line feeds has line breaks',
    '<div style="white-space:pre-wrap">One\nTwo\n\nThree</div>',
    'One  \nTwo\n\nThree',
  ],
  ['texts of Thunderbird are no code', '<pre class="moz-quote-pre" wrap="">One\nTwo</pre>', 'One  \nTwo'],
  ['headings', '<h1>One</h1><h3>Two <b>three</b></h3>Four', '# One\n\n### Two **three**\n\nFour'],
  ['a heading over two lines is one line', '<h2>One<br>two</h2>', '## One two'],
  [
    'bold and italic',
    '<b>One</b> <em>two</em> <strong><i>three</i></strong> <del>four</del>',
    '**One** _two_ **_three_** ~~four~~',
  ],
  [
    'styles of spans',
    '<span style="font-weight:700">One</span> <span style="font-style: italic">two</span>',
    '**One** _two_',
  ],
  ['text that is bold by name only', '<b style="font-weight:normal">One</b>', 'One'],
  ['space moves out of emphasis', 'a<b> one </b>b', 'a **one** b'],
  ['emphasis that cannot be marked is left out', 'a<i>b</i>c d<b>e:</b>f', 'abc de:f'],
  ['neighbours of the same style are one', '<b>a</b><b>b &amp; c</b>', '**ab & c**'],
  ['lists', '<ul><li>One</li><li>Two</li></ul>', '- One\n- Two'],
  ['ordered lists begin where they begin', '<ol start="3"><li>One<li>Two</ol>', '3. One\n4. Two'],
  ['nested lists', '<ul><li>One<ol><li>Two</li></ol></li><li>Three</li></ul>', '- One\n  1. Two\n- Three'],
  [
    'paragraphs in lists',
    '<p>A</p><ul><li><p>One</p><p>Two</p></li></ul><p>B</p>',
    'A\n\n- One\n\n  Two\n\nB',
  ],
  [
    'quotations',
    '<blockquote>One<blockquote>Two</blockquote></blockquote>Three',
    '> One\n>\n> > Two\n\nThree',
  ],
  ['code', 'Run <code>a `b`</code>', 'Run `` a `b` ``'],
  ['blocks of code', '<pre>a\n  b\n```</pre>c', '````\na\n  b\n```\n````\n\nc'],
  ['rulers', 'One<hr>Two', 'One\n\n***\n\nTwo'],
  [
    'links',
    '<a href="https://example.com/a b(c)">the site</a>',
    '[the site](https://example.com/a%20b%28c%29)',
  ],
  [
    'links to mail and telephone',
    '<a href="mailto:a@b.c">mail</a> <a href="tel:+1">call</a>',
    '[mail](mailto:a@b.c) [call](tel:+1)',
  ],
  [
    'a link of its own address is text',
    '<a href="https://example.com/">https://example.com</a> <a href="mailto:a@b.c">a@b.c</a>',
    'https://example.com a@b.c',
  ],
  [
    'links with emphasis in them are one',
    '<a href="https://a.b">Hello <b>World</b></a>',
    '[Hello **World**](https://a.b)',
  ],
  [
    'links that run code are text',
    '<a href="java&#10;script:alert(1)">x</a><a href="data:text/html,x">y</a>',
    'xy',
  ],
  [
    'links to files and anchors are text',
    '<a href="file:///etc">x</a> <a href="#top">y</a> <a href="/z">z</a>',
    'x y z',
  ],
  ['a link without text is left out', '<a href="https://a.b"><img src="https://a.b/i"></a>x', 'x'],
  ['images of the mail', '<img src="cid:a%40b" alt="A [photo]">', '![A \\[photo\\]](file:file_a@b)'],
  [
    'linked images of the mail',
    '<a href="https://a.b"><img src="cid:x" alt="y"></a>',
    '[![y](file:file_x)](https://a.b)',
  ],
  ['images that are not there are their description', '<img src="cid:none" alt="A photo">', 'A photo'],
  ['remote images are their description', '<img src="https://a.b/i.png" alt="Logo *x*">', 'Logo \\*x\\*'],
  [
    'pixels are left out',
    'x<img src="https://a.b" width="1" height="1" alt="pixel"><img src=y style="width:0px">',
    'x',
  ],
  ['embedded images are their description', '<img src="data:image/png;base64,AAAA" alt="dot">', 'dot'],
  ['emoji of Gmail are text', 'Hi <img data-emoji="😀" alt="😀" src="https://a.b/1f600.png">', 'Hi 😀'],
  [
    'tables of data',
    '<table border="1"><tr><th>A</th><th>B|</th></tr><tr><td><p>1</p></td><td>2<br>3</td></tr></table>',
    '| A | B\\| |\n| --- | --- |\n| 1 | 2 3 |',
  ],
  [
    'tables for layout are lines',
    '<table><tr><td>A</td><td>B</td></tr><tr><td>C</td></tr></table>',
    'A B  \nC',
  ],
  [
    'nested tables are lines',
    '<table border=1><tr><td><table><tr><td>A</td></tr></table></td><td>B</td></tr><tr><td>C<td>D</table>',
    'A\n\nB  \nC D',
  ],
  [
    'scripts, styles and titles are left out',
    '<head><title>t</title><style>p{}</style></head><script>x</script>One',
    'One',
  ],
  [
    'comments for Outlook are left out',
    '<!--[if mso]><p>Outlook</p><![endif]-->One<![if !mso]> two<![endif]>',
    'One two',
  ],
  [
    'previews are left out',
    '<div style="display:none;max-height:0">preview</div><span style="font-size:0px">x</span>One',
    'One',
  ],
  ['previews for Outlook are left out', '<span style="mso-hide:all">x</span><p hidden>y</p>One', 'One'],
  [
    'buttons hidden from Outlook stay',
    '<a style="mso-hide:all" href="https://a.b">Go</a>',
    '[Go](https://a.b)',
  ],
  [
    'columns in a container without size stay',
    '<td style="font-size:0"><div style="font-size:14px">One</div></td>',
    'One',
  ],
  ['padding without width is left out', '<div>One&zwnj;&nbsp;&zwnj;&nbsp;&#847;&#8203;</div>', 'One'],
  ['characters that join letters stay', 'می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
  ['unclosed elements end with the mail', '<p>One <b>two', 'One **two**'],
  ['entities are characters', '&lt;b&gt; &amp;amp; &euro; &#x41;', '\\<b> \\&amp; € A'],
]

describe('in the Markdown of HTML', () => {
  for (const [outcome, html, markdown] of cases) {
    test(outcome, () => {
      assert.equal(
        markdownOf(html, (id) => (id === 'none' ? null : `file:file_${id}`)),
        markdown,
      )
    })
  }
})

const written = [
  '# Order',
  '#1 is late',
  '> quoted',
  '- item',
  '-5 °C',
  '+ plus',
  '* star',
  '1. one',
  '1986. A year',
  '1) one',
  '--',
  '---',
  '***',
  '___',
  '===',
  '= x',
  '| a | b |',
  '|---|---|',
  ':--|--',
  '`code`',
  '``',
  '```',
  '~~~',
  '~~x~~',
  '*a* **b** _c_ __d__',
  'snake_case_name',
  'a * b * c',
  '[a](https://x)',
  '![a](https://x)',
  '[a]: https://x',
  '[a][b]',
  '<b>x</b>',
  '<https://x>',
  '<!-- x -->',
  '<3 a < b',
  '&amp; &copy; &#65; AT&T',
  'C:\\Users\\*',
  'end\\',
  '!',
  '[',
  ']',
  'a\\`b',
  '\\',
  '<?php ?>',
  '(c) 5 > 4',
  'https://a.b/c_d_e?f=*g*',
  '    four',
  '\tfive',
  '1.',
  '-',
  '#',
  '>',
  '+',
  '|',
]

describe('what somebody wrote reads as written', () => {
  for (const text of written) {
    const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    test(text, () => {
      for (const page of [
        `<p>${html}</p>`,
        `x<br>${html}<br>y`,
        `<ul><li>${html}</ul>`,
        `<h2>${html}</h2>`,
        `<b>${html}</b>`,
      ]) {
        const shown = rendered(markdownOf(page, none))
        assert.equal(wordsOf(shown), wordsOf(page), page)
        assert.doesNotMatch(shown, /<(?:a|img|em|code|pre|table|s)\b/)
      }
    })
  }
})

/** Numbers that are the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const atoms = [
  ...'ab1.-+*_~`#>|[]()!:=\\;, ',
  '&lt;',
  '&amp;',
  '&amp;amp;',
  '&nbsp;',
  '<br>',
  '<b>',
  '</b>',
  '<i>',
  '</i>',
  '<s>',
  '</s>',
  '<a href="https://x.y">',
  '</a>',
  '<code>',
  '</code>',
  '<p>',
  '</p>',
  '<ul><li>',
  '</ul>',
  '<blockquote>',
  '</blockquote>',
  '<hr>',
  '<td>',
  '<div>',
  '</div>',
  'é',
  '字',
  '😀',
  '**',
  '1. ',
  '- ',
]

test('rendered Markdown shows the words of the HTML, whatever they are', () => {
  const pick = random(7)
  for (let run = 0; run < 4_000; run++) {
    const html = Array.from({ length: 1 + pick(14) }, () => atoms[pick(atoms.length)]).join('')
    const markdown = markdownOf(html, none)
    assert.equal(wordsOf(rendered(markdown)), wordsOf(html), JSON.stringify({ html, markdown }))
  }
})

describe('nothing is shown of', () => {
  for (const html of [
    '',
    '<p>&nbsp;</p>',
    ' \n\u200b',
    '<img src="https://x.y" width="1">',
    '<img src="https://x.y">',
    '<hr>',
    '<style>a</style>',
    '<div style="display:none">x</div>',
    '<table border=1><tr><th></th><th></th></tr><tr><td></td><td></td></tr></table>',
    '<pre>\n</pre>',
  ]) {
    test(html || 'an empty part', () => assert.equal(markdownOf(html, none), ''))
  }
})
