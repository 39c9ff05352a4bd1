import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { safeHtml } from './safe-html.ts'

const urlOf = (contentId: string) =>
  contentId === 'a@b'
    ? '/v1/files/file_1/content?a=1&b=2'
    : contentId === 'bad'
      ? 'x" onerror="alert(1)'
      : null

const cases: [outcome: string, html: string, safe: string][] = [
  [
    'images of the mail have the address of their file',
    '<img src="cid:a%40b" alt="x">',
    '<img src="/v1/files/file_1/content?a=1&amp;b=2" alt="x" />',
  ],
  [
    'addresses of images cannot end their attribute',
    '<img src="cid:bad">',
    '<img src="x&quot; onerror=&quot;alert(1)" />',
  ],
  ['unknown images of the mail are their description', '<img src="cid:c" alt="A <b>">', 'A &lt;b&gt;'],
  [
    'remote images are their description',
    '<p><img src="https://t.example.com/x" alt="Logo">x</p>',
    '<p>Logox</p>',
  ],
  [
    'images of other addresses are left out',
    '<img src="/v1/files/file_2/content"><img srcset="https://x 2x"><img src="data:image/png;base64,AA">x',
    'x',
  ],
  [
    'backgrounds are left out',
    '<table background="https://x"><tr><td style="background:url(https://x);color:red">x</td></tr></table>',
    '<table><tr><td style="color:red">x</td></tr></table>',
  ],
  [
    'colours, fonts and borders stay',
    '<p style="color:#FF0000;font-family:\'Segoe UI\',Arial;border:1px solid rgb(1,2,3);width:50%">x</p>',
    '<p style="color:#ff0000;font-family:\'segoe ui\',arial;border:1px solid rgb(1,2,3);width:50%">x</p>',
  ],
  [
    'tables and fonts stay',
    '<table width="600" cellpadding="0" border="1" bgcolor="#fff"><tr><td colspan="2" valign="top"><font color="red" face="Arial">x</font></td></tr></table>',
    '<table width="600" cellpadding="0" border="1" bgcolor="#fff"><tr><td colspan="2" valign="top"><font color="red" face="Arial">x</font></td></tr></table>',
  ],
  [
    'the ground of the page stays',
    '<body bgcolor="#eee" style="color:red" onload="x()">x</body>',
    '<div style="background-color:#eee;color:red">x</div>',
  ],
  [
    'links tell nothing to the page they lead to',
    '<a href="https://x.y?a=1&amp;b" rel="opener" onclick="x()">x</a>',
    '<a href="https://x.y?a=1&amp;b" target="_blank" rel="noopener noreferrer nofollow">x</a>',
  ],
  [
    'links to mail and telephone stay',
    '<a href="mailto:a@b.c">x</a><a href="tel:+1">y</a>',
    '<a href="mailto:a@b.c" target="_blank" rel="noopener noreferrer nofollow">x</a><a href="tel:+1" target="_blank" rel="noopener noreferrer nofollow">y</a>',
  ],
  [
    'other links are text',
    '<a href="java\tscript:x()">x</a><a href="data:text/html,x">y</a><a href="//x.y">z</a>',
    '<a>x</a><a>y</a><a>z</a>',
  ],
  [
    'scripts, styles and titles are left out',
    '<title>t</title><script>x()</script><style>@import url(https://x)</style><p>x</p>',
    '<p>x</p>',
  ],
  [
    'forms are their text',
    '<form action="https://x"><input name="a"><textarea>t</textarea><button>Send</button></form>',
    'Send',
  ],
  [
    'frames and objects are left out',
    '<iframe src="https://x">y</iframe><object data="https://x"></object><embed src="https://x"><svg><image href="https://x"/></svg>x',
    'x',
  ],
  [
    'what loads by another way is left out',
    '<link rel="stylesheet" href="https://x"><meta http-equiv="refresh" content="0;url=https://x"><base href="https://x"><video src="https://x" poster="https://x"></video>x',
    'x',
  ],
  ['comments are left out', '<!-- x --><!--[if mso]><img src="https://x"><![endif]-->x', 'x'],
  ['unclosed elements are closed', '<p>One <b>two', '<p>One <b>two</b></p>'],
]

describe('in the safe HTML of a mail', () => {
  for (const [outcome, html, safe] of cases) {
    test(outcome, () => assert.equal(safeHtml(html, urlOf), safe))
  }
})

const loading = [
  'background:url(https://x)',
  'background:URL("https://x")',
  'background-image:url(https://x)',
  'background:u\\72l(https://x)',
  'background:u/**/rl(https://x)',
  'width:expression(alert(1))',
  'width:calc(expression(1))',
  'background:image-set("https://x" 1x)',
  'behavior:url(x)',
  '-moz-binding:url(x)',
  'position:fixed;top:0',
  'position:absolute',
  'list-style-image:url(x)',
  '@import "https://x"',
  'content:url(x)',
  'cursor:url(x),auto',
  'color:red}body{background:url(x)',
  'background:-webkit-cross-fade(x)',
  'filter:url(x)',
  'color:var(--x)',
  'background:src("https://x")',
  'font:12px attr(x)',
  'z-index:9',
  'transform:scale(9)',
]

describe('a style that loads or moves is left out', () => {
  for (const style of loading) {
    test(style, () => assert.equal(safeHtml(`<p style='${style}'>x</p>`, urlOf), '<p>x</p>'))
  }
})
