import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lineOf, openMeter } from './progress.ts'

describe('the line of a progress', () => {
  test('has a bar, the rate and the time left', () => {
    const bar = `${'█'.repeat(15)}${'·'.repeat(15)}`
    assert.equal(lineOf(500, 1_000, 'done', 0), `${bar} 500 of 1,000 done`)
    assert.equal(lineOf(500, 1_000, 'done', 50), `${bar} 500 of 1,000 done · 50/s · 10 s left`)
    assert.equal(lineOf(500, 1_000, 'done', 0.25), `${bar} 500 of 1,000 done · 0.3/s · 34 min left`)
    assert.equal(lineOf(1_234, null, 'objects', 5.25), '1,234 objects · 5.3/s')
  })

  test('counts the rate from the first number, and is written to a terminal alone', () => {
    let ms = 0
    const written: string[] = []
    const terminal = { isTTY: true, write: (text: string) => written.push(text) }
    const meter = openMeter(terminal, () => ms)
    meter.show(1_000, 3_000, 'done')
    ms = 50
    meter.show(1_001, 3_000, 'done')
    ms = 10_000
    meter.show(2_000, 3_000, 'done')
    assert.equal(written.length, 2)
    assert.match(written[1]!, /2,000 of 3,000 done · 100\/s · 10 s left$/)
    const silent = openMeter({ write: () => assert.fail('nothing is written') })
    silent.show(1, 2, 'done')
    silent.end()
  })
})
