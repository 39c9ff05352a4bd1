import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIn, templatesIn } from './templates.ts'

/** The sources below use ~ for a backtick and § for a dollar sign. */
const plain = (text: string) => text.replaceAll('~', '`').replaceAll('§', '$')

const found = (source: string) => templatesIn(plain(source), 'src/queries.ts')

/** Each case has the texts of its templates, in the order in which templates end. */
const cases: [outcome: string, source: string, texts: string[][]][] = [
  [
    'a template is cut at its values',
    'sql~select §{a} from t where b = §{b}~',
    [['select ', ' from t where b = ', '']],
  ],
  ['only what is tagged sql is found', '~a~; nosql~b~; db.sql~c~; sql~d~', [['d']]],
  ['a tag may have types', "sql<Row>~a~; sql<{ id: string; of: Map<'a' | 'b', Row[]> }>~b~", [['a'], ['b']]],
  [
    'a template within a template is found before it',
    'sql~a §{sql~b §{c} d~} e~',
    [
      ['b ', ' d'],
      ['a ', ' e'],
    ],
  ],
  [
    'templates of expressions of templates, tagged or not, are found',
    'sql~a §{x ? sql~b §{~c §{sql~d~}~}~ : sql~e~} f~',
    [['d'], ['b ', ''], ['e'], ['a ', ' f']],
  ],
  ['a template of a plain template is found', 'log(~a §{sql~b~} c~)', [['b']]],
  [
    'braces of an expression do not end it',
    'sql~a §{rows.map((row) => { return { id: row.id } })} b §{f({})} c~; sql~d~',
    [['a ', ' b ', ' c'], ['d']],
  ],
  [
    'braces, quotes and comment signs of SQL are text',
    "sql~a '{}' } { -- it's /* // \" b~; sql~c~",
    [["a '{}' } { -- it's /* // \" b"], ['c']],
  ],
  ['a backtick of a text is none', `f('~', "~", 'it\\'s ~'); sql~a §{g('~}')} b~`, [['a ', ' b']]],
  [
    'a backtick or a quote of a comment is none',
    "// it's sql~\n/* sql~a~ '\n ~ */ sql~b §{c /* } ~ */} d~",
    [['b ', ' d']],
  ],
  [
    'a backtick, a quote, a brace or a slash of a regular expression is none',
    'f(/~/g); x = /[\'"/~]/; y.replace(/\\/~{/, z); sql~a §{/[}~]/.test(b)} c~',
    [['a ', ' c']],
  ],
  [
    'a regular expression behind a word is one, too',
    'return /[~"]/.test(a) ? sql~b~ : sql~c~',
    [['b'], ['c']],
  ],
  ['a division begins no regular expression', 'a / b; sql~c~; d / e; (f) / g; sql~h~; i / j', [['c'], ['h']]],
  ['what is escaped in a template is text', 'sql~a \\~ \\§{b} c~', [['a ~ §{b} c']]],
]
for (const [outcome, source, texts] of cases)
  test(outcome, () => {
    assert.deepEqual(
      found(source).map((template) => template.texts),
      texts.map((each) => each.map(plain)),
    )
  })

test('a template tells the line on which it begins', () => {
  assert.deepEqual(
    found('const a = 1\n\nsql~select\n§{sql~b~}\n~\nsql~c~').map(({ place }) => place),
    ['src/queries.ts:4', 'src/queries.ts:3', 'src/queries.ts:6'],
  )
})

test('a template tells the declaration that it is in', () => {
  const source =
    'const a = sql~b~\n\nexport async function c() {\n  const d = sql~e~\n}\n\nclass F { g = sql~h~ }'
  assert.deepEqual(
    found(source).map(({ declaration }) => declaration),
    ['a', 'c', 'F'],
  )
})

test('a template without an end is told, with its place', () => {
  assert.throws(() => found('\nsql~a'), /^Error: src\/queries\.ts:2: /)
})

test('a template is in a text that has its parts in order, whatever its values', () => {
  const template = { place: '', declaration: '', texts: ['where (a) = ', ' and b = ', ''] }
  assert.equal(isIn(template, 'select 1 where (a) = $1 and b = $2'), true)
  assert.equal(isIn(template, 'select 1 where (a) = (select\n$1) and b = '), true)
  assert.equal(isIn(template, ' and b = where (a) = '), false)
})
