import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Answer, service } from '@backline/test/harness.ts'
import { config, refused, targets } from '@backline/test/sla-fixtures.ts'

const api = service()

/** `fri 22:00-02:00` */
const span = (text: string) => {
  const [, day, from, to] = /^(\w+) (.+)-(.+)$/.exec(text)!
  return { day, from, to }
}
const utc = (...spans: string[]) => ({ timezone: 'UTC', weekly: spans.map(span) })

async function sent(schedule: object): Promise<Answer> {
  const { test } = await api.world()
  return test.post('/v1/sla_configs', { name: 'x', schedule, targets })
}

describe('spans', () => {
  const apart: Record<string, string[]> = {
    'several a day': ['mon 13:00-17:30', 'mon 09:00-12:00'],
    'two that touch': ['mon 09:00-12:00', 'mon 12:00-13:00'],
    'a whole day, as 00:00 to 24:00': ['mon 00:00-24:00', 'tue 00:00-24:00', 'sun 00:00-24:00'],
    '00:00 as the next midnight': ['mon 09:00-00:00', 'tue 00:00-09:00'],
    'two that touch after midnight': ['fri 22:00-02:00', 'sat 02:00-03:00'],
    'two that touch around the end of the week': ['sun 22:00-06:00', 'mon 06:00-22:00'],
    'one of 23 hours and 59 minutes': ['wed 12:00-11:59', 'thu 11:59-12:00'],
  }
  for (const [what, spans] of Object.entries(apart))
    test(`201 for ${what}`, async () => {
      const schedule = utc(...spans)
      const { test } = await api.world()
      const body = await config(test, { schedule })
      assert.deepEqual(body.schedule, { ...schedule, holidays: [] })
    })

  const overlapping: Record<string, string[]> = {
    'two that are equal': ['mon 09:00-12:00', 'mon 09:00-12:00'],
    'one in another': ['mon 09:00-12:00', 'mon 10:00-11:00'],
    'one around another': ['mon 10:00-11:00', 'mon 09:00-12:00'],
    'a minute too much': ['mon 09:00-12:01', 'mon 12:00-13:00'],
    'over midnight': ['fri 22:00-02:00', 'sat 01:00-03:00'],
    'around the end of the week': ['sun 22:00-06:00', 'mon 05:00-09:00'],
    'around the end of the week, the other way round': ['mon 05:00-09:00', 'sun 22:00-06:00'],
    'with a whole day': ['mon 00:00-24:00', 'mon 23:59-00:00'],
  }
  for (const [what, [first, second]] of Object.entries(overlapping))
    test(`422 naming the other for an overlap: ${what}`, async () => {
      const answer = await sent(utc('wed 09:00-10:00', first!, second!))
      refused(answer, ['/schedule/weekly/2/from', 'not_allowed'])
      assert.equal(answer.body.errors[0].detail, `must not overlap ${first!.replace('-', ' to ')}`)
    })

  test('422 for one that ends when it begins, which then overlaps nothing', async () => {
    const schedule = utc('mon 09:00-09:00', 'mon 08:00-12:00', 'tue 00:00-00:00')
    refused(
      await sent(schedule),
      ['/schedule/weekly/0/to', 'not_allowed'],
      ['/schedule/weekly/2/to', 'not_allowed'],
    )
  })

  test('422 for times that there are none', async () => {
    for (const time of ['24:00', '9:00', '23:60', '25:00', '09:00:00', '٠٩:٠٠'])
      refused(await sent(utc(`mon ${time}-17:00`)), [
        '/schedule/weekly/0/from',
        time.length > 5 ? 'too_long' : 'bad_format',
      ])
    refused(await sent(utc('mon 09:00-24:01')), ['/schedule/weekly/0/to', 'bad_format'])
    refused(await sent({ timezone: 'UTC', weekly: [] }), ['/schedule/weekly', 'too_short'])
  })
})

describe('holidays', () => {
  const on = (...dates: string[]) => ({
    ...utc('mon 09:00-17:00'),
    holidays: dates.map((date) => ({ date, yearly: true })),
  })

  test('201 for February 29 of a leap year, yearly too', async () => {
    assert.equal((await sent(on('2028-02-29', '2026-02-28'))).status, 201)
  })

  test('422 for a date that does not exist, and for one that is there already', async () => {
    refused(
      await sent(on('2026-12-25', '2026-02-29', '2026-12-25', '2026-13-01', '2026-00-10')),
      ['/schedule/holidays/1/date', 'bad_format'],
      ['/schedule/holidays/2/date', 'not_allowed'],
      ['/schedule/holidays/3/date', 'bad_format'],
      ['/schedule/holidays/4/date', 'bad_format'],
    )
  })
})

test('422 for a time zone that is none, with everything else that is wrong', async () => {
  for (const timezone of ['Europe/Atlantis', '+01:00', 'x'])
    refused(
      await sent({ ...utc('mon 09:00-09:00'), timezone, holidays: [{ date: '2026-02-30' }] }),
      ['/schedule/timezone', 'bad_format'],
      ['/schedule/weekly/0/to', 'not_allowed'],
      ['/schedule/holidays/0/date', 'bad_format'],
    )
})

test('422 for a time zone that does not exist beside a span that breaks the schema', async () => {
  const span = { day: 'monday', from: '09:00', to: '17:00' }
  refused(
    await sent({ timezone: 'CET+1', weekly: [span] }),
    ['/schedule/weekly/0/day', 'not_allowed'],
    ['/schedule/timezone', 'bad_format'],
  )
})

test('422 for a PATCH that would make spans overlap; the schedule stays', async () => {
  const { test } = await api.world()
  const { id, schedule }: Body = await config(test, { schedule: utc('mon 09:00-17:00') })
  const weekly = [span('mon 09:00-17:00'), span('mon 16:00-18:00')]
  refused(await test.patch(`/v1/sla_configs/${id}`, { schedule: { weekly } }), [
    '/schedule/weekly/1/from',
    'not_allowed',
  ])
  assert.deepEqual(succeeded(await test.get(`/v1/sla_configs/${id}`)).schedule, schedule)
})
