import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDisposition, contentHeaders, matchesIfRange, parseRange } from './content-headers.ts'

const dispositionOf = (filename: string) => contentDisposition('attachment', filename)

for (const [title, filename, expected] of [
  ['a plain name', 'report 2.pdf', 'filename="report 2.pdf"'],
  [
    'letters that ASCII lacks',
    'Übersicht €.pdf',
    `filename="_bersicht _.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.pdf`,
  ],
  ['a character beyond the BMP', '😀.png', `filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
  ['quotation marks', 'a "b".txt', `filename="a _b_.txt"; filename*=UTF-8''a%20%22b%22.txt`],
  ['percent signs', '100%41.txt', `filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
  [
    'characters that are no attr-char',
    "é'()*.txt",
    `filename="_'()*.txt"; filename*=UTF-8''%C3%A9%27%28%29%2A.txt`,
  ],
  ['separators', '../../etc\\passwd', 'filename=".._.._etc_passwd"'],
  ['control characters', 'a\r\nSet-Cookie: b\0\x7f\x9f.txt', 'filename="aSet-Cookie: b.txt"'],
  ['a line separator', 'a\u2028b\u2029c', 'filename="abc"'],
  ['text that runs from right to left', 'invoice\u202egnp.exe', 'filename="invoicegnp.exe"'],
  ['isolates and marks of direction', '\u2066a\u2069\u200fb\u061c.txt', 'filename="ab.txt"'],
  ['a lone surrogate', 'a\ud800b.txt', 'filename="a_b.txt"'],
  ['dots only', '..', 'filename="file"'],
  ['nothing that can be shown', ' \u202e\0 ', 'filename="file"'],
  ['an empty name', '', 'filename="file"'],
  ['a long name', `${'a'.repeat(255)}.pdf`, `filename="${'a'.repeat(196)}.pdf"`],
  ['a long name without an extension', 'a'.repeat(255), `filename="${'a'.repeat(200)}"`],
  ['a long extension', `a.${'b'.repeat(253)}`, `filename="a.${'b'.repeat(198)}"`],
] as const) {
  test(`a file name with ${title}`, () => {
    assert.equal(dispositionOf(filename), `attachment; ${expected}`)
  })
}

test('a long name of wide characters is cut between characters', () => {
  const value = /filename\*=UTF-8''(.*)$/.exec(dispositionOf(`${'é😀'.repeat(100)}.jpeg`))![1]!
  const name = decodeURIComponent(value)
  assert.ok(Buffer.byteLength(name) <= 200)
  assert.match(name, /^(é😀)+é?\.jpeg$/u)
})

test('a header never has characters that a header cannot have', () => {
  for (let code = 0; code < 0x3000; code++) {
    const disposition = dispositionOf(`a${String.fromCharCode(code)}b`)
    assert.match(disposition, /^attachment; filename="[^"\\%]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/)
    assert.match(disposition, /^[\x20-\x7e]*$/)
  }
})

for (const [contentType, type, sent = contentType] of [
  ['image/png', 'inline'],
  ['IMAGE/JPEG', 'inline', 'image/jpeg'],
  ['image/gif;x,text/html', 'inline', 'image/gif'],
  ['image/gif; x=",text/html"', 'inline', 'image/gif'],
  ['application/pdf;, text/html', 'inline', 'application/pdf'],
  ['text/plain;a, text/html', 'inline', 'text/plain; charset=utf-8'],
  ['text/plain; charset=",text/html"', 'inline', 'text/plain; charset=utf-8'],
  ['text/plain; charset="iso-8859-1"', 'inline', 'text/plain; charset=iso-8859-1'],
  ['text/csv; header=present; charset=utf-16', 'attachment', 'text/csv; charset=utf-16'],
  ['image/gif,text/html', 'attachment', 'application/octet-stream'],
  ['application/zip;x,text/html', 'attachment', 'application/zip'],
  ['image/webp', 'inline'],
  ['application/pdf', 'inline'],
  ['text/plain', 'inline', 'text/plain; charset=utf-8'],
  ['text/plain;', 'inline', 'text/plain; charset=utf-8'],
  ['text/plain; format=flowed', 'inline', 'text/plain; charset=utf-8'],
  ['text/plain; Charset=iso-8859-1', 'inline', 'text/plain; charset=iso-8859-1'],
  ['text/html', 'attachment'],
  ['text/html; x=text/plain', 'attachment', 'text/html'],
  ['application/xhtml+xml', 'attachment'],
  ['image/svg+xml', 'attachment'],
  ['text/xml', 'attachment'],
  ['text/javascript', 'attachment'],
  ['text/csv', 'attachment'],
  ['application/zip', 'attachment'],
  ['multipart/x-mixed-replace; boundary=a', 'attachment', 'multipart/x-mixed-replace'],
  ['no media type', 'attachment', 'application/octet-stream'],
  ['text/plain\r\nSet-Cookie: a', 'attachment', 'application/octet-stream'],
] as const) {
  test(`${JSON.stringify(contentType)} is served as ${type}`, () => {
    const headers = contentHeaders({ filename: 'a', contentType })
    assert.equal(headers['content-disposition'], `${type}; filename="a"`)
    assert.equal(headers['content-type'], sent)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const policy = headers['content-security-policy'].split('; ')
    assert.ok(policy.includes("default-src 'none'"))
    assert.equal(policy.includes('sandbox'), sent !== 'application/pdf')
  })
}

for (const [header, size, expected] of [
  [undefined, 10, null],
  ['bytes=0-4', 10, { start: 0, end: 4 }],
  ['bytes=9-9', 10, { start: 9, end: 9 }],
  ['bytes=5-', 10, { start: 5, end: 9 }],
  ['bytes=5-100', 10, { start: 5, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-100', 10, { start: 0, end: 9 }],
  ['BYTES=0-0', 10, { start: 0, end: 0 }],
  ['bytes= 0-4 ,', 10, { start: 0, end: 4 }],
  [`bytes=0-${'9'.repeat(400)}`, 10, { start: 0, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-20', 10, 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, null],
  ['bytes=4-0', 10, null],
  ['bytes=0-1,4-5', 10, null],
  ['bytes=-', 10, null],
  ['bytes=', 10, null],
  ['bytes', 10, null],
  ['bytes=a-b', 10, null],
  ['bytes=1.5-2', 10, null],
  ['bytes=0--1', 10, null],
  ['items=0-4', 10, null],
  ['', 10, null],
] as const) {
  test(`the range ${header?.slice(0, 30)} of ${size} bytes`, () => {
    assert.deepEqual(parseRange(header, size), expected)
  })
}

test('If-Range holds for the same strong tag alone', () => {
  assert.ok(matchesIfRange(undefined, '"a"'))
  assert.ok(matchesIfRange('"a"', '"a"'))
  for (const header of ['"b"', 'W/"a"', '*', '"a", "b"', '', 'Wed, 21 Oct 2015 07:28:00 GMT'])
    assert.ok(!matchesIfRange(header, '"a"'), header)
})
