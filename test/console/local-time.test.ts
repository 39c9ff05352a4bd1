import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDays,
  addMonths,
  readDate,
  readTime,
  weekOf,
} from '../../packages/console/src/forms/local-time.ts'

const american = ['month', 'day', 'year'] as const
const german = ['day', 'month', 'year'] as const

const read = (typed: string, order: readonly ('day' | 'month' | 'year')[], hasTime = true, isWhole = true) =>
  readDate(typed, { order: [...order], hasTime, isWhole })

test('a date and its time are read as the language writes them, and as RFC 3339 does', () => {
  for (const typed of ['12/24/2026, 4:30 PM', '12/24/26 4:30pm', '12/24/2026, 16:30', '2026-12-24T16:30'])
    assert.equal(read(typed, american), '2026-12-24T16:30', typed)
  for (const typed of ['24.12.2026, 16:30', '24.12.26 16.30 Uhr', '2026-12-24 16:30'])
    assert.equal(read(typed, german), '2026-12-24T16:30', typed)
  assert.equal(read('24. 12. 2026', german, false), '2026-12-24')
  assert.equal(read('2026-12-24T16:30:05', german), '2026-12-24T16:30:05')
})

test('what is no date, no day of the month or no time is not read', () => {
  for (const typed of ['', 'soon', '12/24', '2/30/2026, 9:00 AM', '13/1/2026, 9:00 AM', '1/1/2026, 25:00'])
    assert.equal(read(typed, american), null, typed)
  assert.equal(read('1/1/2026, 13:00 PM', american), null)
  assert.equal(read('1/1/2026, 9:00 AM', american, false), null)
})

test('a date without its time is midnight once it is complete', () => {
  assert.equal(read('24.12.2026', german), null)
  assert.equal(read('24.12.2026', german, true, false), '2026-12-24T00:00')
})

test('noon and midnight are read in both cycles of hours', () => {
  for (const [typed, time] of [
    ['12:00 AM', '00:00'],
    ['12:30 pm', '12:30'],
    ['0:05', '00:05'],
    ['7:05 p.m.', '19:05'],
  ] as const)
    assert.equal(readTime(typed), time, typed)
  for (const typed of ['0:30 PM', '24:00', '9', 'x9:00']) assert.equal(readTime(typed), null, typed)
})

test('days, months and weeks are counted across the ends of months and years', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addMonths('2026-01-31', 1), '2026-02-28')
  assert.equal(addMonths('2026-01-31', -2), '2025-11-30')
  assert.equal(weekOf('2026-11-29', 1), '2026-11-23')
  assert.equal(weekOf('2026-11-29', 7), '2026-11-29')
})
