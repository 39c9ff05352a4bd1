import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JobResult } from '@backline/sdk'
import { summaryOf } from '../packages/console/src/inbox/bulk/summary.ts'
import { canBeUndone, inverseGroups, inverseOf } from '../packages/console/src/inbox/undo/inverse.ts'

const resultOf = (id: string, changes: JobResult['changes'], fields: Partial<JobResult> = {}): JobResult => ({
  object: 'job_result',
  index: 0,
  line: null,
  id,
  status: 'succeeded',
  errors: [],
  changes,
  ...fields,
})

describe('the undo of a bulk change', () => {
  test('gives former values back, a department before its assignee', () => {
    assert.deepEqual(
      inverseOf({
        assignee_id: { from: null, to: 'op_1' },
        department_id: { from: 'dept_1', to: null },
        'custom_fields.cause': { from: null, to: 'bug' },
      }),
      [
        { type: 'set_department', department_id: 'dept_1' },
        { type: 'assign', operator_id: null },
        { type: 'set_custom_field', key: 'cause', value: null },
      ],
    )
  })

  test('takes away the tags that were added, and adds those that were taken away', () => {
    assert.deepEqual(inverseOf({ tags: { from: ['a', 'b'], to: ['b', 'c'] } }), [
      { type: 'remove_tags', tags: ['c'] },
      { type: 'add_tags', tags: ['a'] },
    ])
  })

  test('reopens what was resolved, and leaves alone what followed from it', () => {
    const changes = { status: { from: 'new', to: 'resolved' }, resolved_at: { from: null, to: 'now' } }
    assert.deepEqual(inverseOf(changes), [{ type: 'reopen' }])
    assert.deepEqual(inverseOf({ status: { from: 'new', to: 'open' } }), [])
  })

  test('has a group for each former value, without what failed or had the value already', () => {
    const high = (from: string) => ({ priority: { from, to: 'high' } })
    const results = [
      resultOf('a', high('low')),
      resultOf('b', high('normal')),
      resultOf('c', high('low')),
      resultOf('d', {}),
      resultOf('e', high('low')),
      resultOf('f', null, { status: 'failed' }),
    ]
    assert.deepEqual(inverseGroups(results, new Set(['e'])), [
      { actions: [{ type: 'set_priority', priority: 'low' }], ids: ['a', 'c'] },
      { actions: [{ type: 'set_priority', priority: 'normal' }], ids: ['b'] },
    ])
  })

  test('is not offered after a reply or a closing', () => {
    assert.ok(canBeUndone([{ type: 'resolve' }, { type: 'add_tags', tags: ['x'] }]))
    assert.ok(!canBeUndone([{ type: 'close' }]))
    assert.ok(!canBeUndone([{ type: 'reply', body: 'Hello' }]))
  })
})

test('a preview counts each tag by itself, holds by their reason, and refusals by what they say', () => {
  const error = { pointer: null, code: 'conversation_closed', detail: 'It is closed.' }
  const hold = (until: string) => ({ hold: { from: null, to: { hold_reason_id: 'hold_1', until } } })
  const summary = summaryOf([
    resultOf('a', { tags: { from: [], to: ['x', 'y'] }, version: { from: 1, to: 2 } }),
    resultOf('b', { tags: { from: ['y'], to: ['x', 'y'] } }),
    resultOf('c', hold('2026-01-01')),
    resultOf('d', hold('2026-01-02')),
    resultOf('e', { updated_at: { from: '1', to: '2' } }),
    resultOf('f', null, { status: 'failed', errors: [error] }),
  ])
  assert.deepEqual(
    summary.changes.map(({ field, from, count }) => [field, from, count]),
    [
      ['hold', null, 2],
      ['tags', null, 2],
      ['tags', null, 1],
    ],
  )
  assert.deepEqual(summary.refusals, [{ error, count: 1, ids: ['f'] }])
  assert.deepEqual([summary.changed, summary.unchanged, summary.counted], [4, 1, 6])
})
