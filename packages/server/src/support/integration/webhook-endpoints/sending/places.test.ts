import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPlaces, type Place, type Places } from './places.ts'

const limits = { working: 1_000, soonMs: 100, all: 1_000, bytesPerPlace: 1_000, kept: 200 }

const ignore = () => undefined

/** Takes as many places as the environment may have. */
function fill(places: Places, mayHaveKept = true, onRoom: () => void = ignore): Place[] {
  const share = places.share(onRoom)
  const taken: Place[] = []
  for (let place = share.take(mayHaveKept); place; place = share.take(mayHaveKept)) taken.push(place)
  return taken
}

describe('the places of a process', () => {
  test('an environment gets as many as it leaves free, and so does the next one', () => {
    const places = openPlaces(limits)
    assert.deepEqual([fill(places).length, fill(places).length, fill(places).length], [500, 250, 125])
  })

  test('environments with unlimited demand reach equal shares as places are returned', () => {
    const places = openPlaces(limits)
    const environments = Array.from({ length: 4 }, () => {
      const self = { share: places.share(() => take()), held: [] as Place[] }
      const take = () => {
        for (let place = self.share.take(true); place; place = self.share.take(true)) self.held.push(place)
      }
      take()
      return self
    })
    for (let i = 0; i < 2_000; i++) environments[i % 4]!.held.shift()?.free()
    for (const { held } of environments) assert.ok(held.length >= 190 && held.length <= 210, `${held.length}`)
  })

  test('a kept place goes only to attempts that may have one', () => {
    const places = openPlaces(limits)
    const share = places.share(ignore)
    let taken = 0
    while (share.take(false)) taken++
    assert.equal(taken, 400)
    assert.ok(share.take(true))
    assert.equal(share.take(false), null)
  })

  test('attempts that wait do not count as working, and keep their place', () => {
    const places = openPlaces({ ...limits, working: 10 })
    const share = places.share(ignore)
    const working = Array.from({ length: 5 }, () => share.take(true)!)
    assert.equal(share.take(true), null)
    for (const place of working) place.wait()
    assert.ok(share.take(true))
    assert.deepEqual([places.working, places.waiting], [1, 5])
  })

  test('a large body takes places in proportion to its size', () => {
    const places = openPlaces(limits)
    const share = places.share(ignore)
    const large = share.take(true)!
    large.hold(499_001)
    assert.equal(share.take(true), null)
    large.free()
    assert.equal(fill(places).length, 500)
  })

  test('a refused share is called once when a place is free', () => {
    const places = openPlaces(limits)
    let told = 0
    const taken = fill(places, true, () => told++)
    assert.equal(told, 0)
    taken[0]!.free()
    taken[1]!.free()
    assert.equal(told, 1)
  })
})
