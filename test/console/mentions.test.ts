import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsAfter, mentionsIn } from '../../packages/console/src/inbox/model/mentions.ts'

const person = (id: string, name: string, archived = false) => ({ id, name, archived })
const grace = person('op_grace', 'Grace')
const hopper = person('op_hopper', 'Grace Hopper')
const oneAda = person('op_ada1', 'Ada (Support)')
const otherAda = person('op_ada2', 'Ada (Support)')
const gone = person('op_gone', 'Alan', true)
const all = [grace, hopper, oneAda, otherAda, gone]

const cases: [text: string, chosen: string[], ids: string[]][] = [
  ['@Grace Hopper and @grace, please', [], ['op_hopper', 'op_grace']],
  ['Thanks @Grace. (@Grace) @Grace', [], ['op_grace']],
  ['@Gracefully, me@Grace, a+@Grace, Grace', [], []],
  ['@Ada (Support)', ['op_ada2'], ['op_ada2']],
  ['@Ada (Support)', [], ['op_ada1', 'op_ada2']],
  ['@Alan', [], []],
  ['@Alan', ['op_gone'], ['op_gone']],
  ['nobody', ['op_grace'], []],
]

for (const [text, chosen, ids] of cases)
  test(`${text} with ${chosen.join() || 'nobody'} chosen mentions ${ids.join() || 'nobody'}`, () => {
    assert.deepEqual(mentionsIn(text, all, chosen), ids)
  })

test('an edit keeps mentions that the text did not name, drops those it names no more, and adds those it names', () => {
  const before = { body: '@Grace, see @Ada (Support)', mentions: ['op_hopper', 'op_grace', 'op_ada2'] }
  assert.deepEqual(mentionsAfter(before, '@Ada (Support), see this', all), ['op_hopper', 'op_ada2'])
  assert.deepEqual(mentionsAfter(before, before.body, all), before.mentions)
  assert.deepEqual(mentionsAfter({ body: 'Hello', mentions: [] }, 'Hello @Grace', all), ['op_grace'])
})
