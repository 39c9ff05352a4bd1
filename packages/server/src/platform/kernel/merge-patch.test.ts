import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergePatch } from './merge-patch.ts'

/** Appendix A of RFC 7396, where target and patch are objects. */
const cases: [target: object, patch: object, result: object][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

for (const [target, patch, result] of cases) {
  test(`${JSON.stringify(patch)} makes ${JSON.stringify(target)} ${JSON.stringify(result)}`, () => {
    const before = structuredClone(target)
    assert.deepEqual(mergePatch(target, patch), result)
    assert.deepEqual(target, before)
  })
}

test('nothing becomes what the patch says, without its nulls', () => {
  assert.deepEqual(mergePatch(null, { a: 1, b: null }), { a: 1 })
})

test('__proto__ is only a key', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'))
  assert.deepEqual(Object.keys(merged), ['__proto__'])
  assert.equal((merged as { polluted?: boolean }).polluted, undefined)
})
