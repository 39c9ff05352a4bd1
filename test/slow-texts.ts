/* Texts that occupy careless code for seconds. Each was found to do so, here or in similar code. */

const filled = (length: number, unit: string): string => unit.repeat(length / unit.length)

const row = (cell: string, columns: number) => `|${`${cell}|`.repeat(columns)}\n`

/** Each has the maximum length. */
export const slowTexts: Record<string, (length: number) => string> = {
  // Unicode
  'marks of one letter': (length) => `a${filled(length - 1, '\u0301\u0323')}`,
  'characters that stand for eighteen': (length) => filled(length, '\ufdfa'),
  'words of one letter': (length) => filled(length, 'ü '),
  'characters without spaces': (length) => filled(length, '漢'),
  // Markdown and HTML
  'a table of short rows': () => row('a', 300) + row(':-:', 300) + 'a\n'.repeat(200),
  'lines that go on with quotes': (length) => `${'>'.repeat(1_000)}a\n${filled(length - 1_002, 'a\n')}`,
  'short items': (length) => filled(length, '* a\n'),
  'open emphasis': (length) => filled(length, 'a**b'),
  'beginnings of images': (length) => filled(length, '!['),
  'a long address that is used often': (length) =>
    `[a]: /${'u'.repeat(length / 2)}\n\n${filled(length / 2 - 10, '[a]')}`,
  'cells with styles': (length) => filled(length, '<td style="color:red;text-align:left">'),
  // Liquid
  'a long condition': (length) => `{% if a ${filled(length - 30, 'or a ')}%}x{% endif %}`,
  'a loop in a loop': (length) =>
    `{% for i in (1..999) %}{% for i in (1..999) %}${filled(length - 70, 'x')}{% endfor %}{% endfor %}`,
}

/** Texts that patterns reject only at the end. */
export const unmatched: Record<string, (length: number) => string> = {
  'letters and NUL': (length) => `${'a'.repeat(length - 1)}\0`,
  'spaces and NUL': (length) => `${' '.repeat(length - 1)}\0`,
  'subtags and NUL': (length) => `${filled(length - 1, 'en-')}\0`,
  'domains and NUL': (length) => `a@${filled(length - 3, 'a.')}\0`,
}
