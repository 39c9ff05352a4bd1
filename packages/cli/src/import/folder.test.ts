import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openFolder } from './folder.ts'
import { readCopy, temporaryFolder } from './recorded.test-fixtures.ts'

const identity = { source: 'zendesk', account: 'https://acme.test', options: { since: null, own_ids: false } }
const tag = (id: string, name = id) => ({ type: 'tag', external_id: id, name })

describe('the folder of an import', () => {
  test('is for its owner alone, and one that others can enter is refused', (t) => {
    const path = join(temporaryFolder(t), 'copy')
    openFolder(path, identity).close()
    assert.equal(statSync(path).mode & 0o777, 0o700)
    assert.equal(statSync(join(path, 'lines.ndjson')).mode & 0o777, 0o600)
    chmodSync(path, 0o755)
    assert.throws(() => openFolder(path, identity), /other users can access it; run: chmod 700/)
  })

  test('goes back to its last commit, whatever a killed run has left', (t) => {
    const path = temporaryFolder(t)
    const first = openFolder(path, identity)
    first.write(tag('1'))
    first.lose({ source_type: 'tag', source_id: '1', reason: 'truncated', detail: 'x' })
    first.commit('tags', { after: 1 })
    first.write(tag('2'))
    first.close()
    // Lines, half a line and the beginning of a file that were on the disk before the kill.
    appendFileSync(join(path, 'lines.ndjson'), '{"type":"tag","external_id":"2"}\n{"type":"ta')
    appendFileSync(join(path, 'losses.ndjson'), '{"source')
    mkdirSync(join(path, 'files/ab'))
    writeFileSync(join(path, 'files/ab/1.png.part'), 'half')
    const second = openFolder(path, identity)
    assert.deepEqual([second.state.cursors, second.state.counts], [{ tags: { after: 1 } }, { tag: 1 }])
    assert.ok(!existsSync(join(path, 'files/ab/1.png.part')))
    for (const each of [tag('1'), tag('2')]) second.write(each)
    second.commit('tags', { after: 2 })
    second.close()
    const { lines, losses } = readCopy(path)
    assert.deepEqual(
      lines.map(({ external_id }) => external_id),
      ['1', '2'],
    )
    assert.equal(losses.length, 1)
  })

  test('a value that was kept after the lines, but without its cursor, is forgotten', (t) => {
    const path = temporaryFolder(t)
    const first = openFolder(path, identity)
    first.write(tag('1'))
    first.commit('tags', 1)
    const before = readFileSync(join(path, 'cursor.json'))
    first.write(tag('1', 'other'))
    first.write(tag('2'))
    first.commit('tags', 2)
    first.close()
    // Killed between the lines and the cursor.
    writeFileSync(join(path, 'cursor.json'), before)
    const second = openFolder(path, identity)
    second.write(tag('1', 'other'))
    second.write(tag('2'))
    second.commit('tags', 2)
    second.close()
    assert.deepEqual(
      readCopy(path).lines.map(({ name }) => name),
      ['1', 'other', '2'],
    )
  })

  test('an object that has changed, or changed back, is written again, and none that is the same', (t) => {
    const path = temporaryFolder(t)
    const folder = openFolder(path, identity)
    for (const name of ['a', 'a', 'b', 'a']) {
      folder.write(tag('1', name))
      folder.commit('tags', null)
    }
    folder.close()
    assert.deepEqual(
      readCopy(path).lines.map(({ name }) => name),
      ['a', 'b', 'a'],
    )
  })

  test('one that has lost lines is refused', (t) => {
    const path = temporaryFolder(t)
    const folder = openFolder(path, identity)
    folder.write(tag('1'))
    folder.commit('tags', null)
    folder.close()
    truncateSync(join(path, 'lines.ndjson'), 3)
    assert.throws(() => openFolder(path, identity), /is shorter than it was/)
  })
})
