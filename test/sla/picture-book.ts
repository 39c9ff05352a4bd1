import { days, type Schedule, type Span } from '@backline/server/support/sla/clocks/terms.ts'
import type { Picture } from './pictures.ts'

const berlin = (weekly: Span[], ...holidays: string[]): Schedule => ({
  timezone: 'Europe/Berlin',
  weekly,
  holidays: holidays.map((date) => ({ date, name: null, yearly: false })),
})
const workdays = (from: string, to: string): Span[] => days.slice(0, 5).map((day) => ({ day, from, to }))
const nights = days.map((day) => ({ day, from: '22:00', to: '06:00' }))

const morning = { from: '2026-11-16T09:00', hours: 4, minutesPerCharacter: 10 } as const
const hourly = { minutesPerCharacter: 60 } as const

/** The pictures of docs/sla.md, in its order. */
export const pictures: Picture[] = [
  { ...morning, targets: { first_response: 60 }, events: '09:00 U, 09:40 O' },
  { ...morning, targets: { first_response: 60 }, events: '09:00 U, 11:00 O' },
  {
    ...morning,
    targets: { first_response: 60, next_response: 90 },
    events: '09:00 U, 09:20 U, 09:40 O, 10:30 U, 11:00 U, 11:40 O',
  },
  { ...morning, targets: { resolution: 240 }, events: '09:00 U, 09:40 O, 10:50 U, 11:20 R, 12:00 A' },
  {
    ...morning,
    targets: { first_response: 180, resolution: 240 },
    events: '09:00 U, 09:30 H, 10:40 C',
  },
  { ...morning, targets: { next_response: 60, resolution: 240 }, answered: true, events: '09:00 U, 09:40 R' },
  {
    ...morning,
    targets: { first_response: 60, resolution: 240 },
    events: '09:00 U, 09:30 R, 11:00 A, 11:10 O, 12:00 R',
  },
  {
    ...morning,
    targets: { next_response: 60, resolution: 60 },
    events: '09:00 U, 09:20 O, 10:30 R, 11:50 U, 12:40 O',
  },
  { ...morning, targets: { first_response: 60, resolution: 240 }, events: '09:00 U, 09:40 X' },
  {
    ...hourly,
    targets: { first_response: 300 },
    schedule: berlin([...workdays('09:00', '12:00'), ...workdays('13:00', '17:00')]),
    from: '2026-11-16T06:00',
    hours: 15,
    events: '11:00 U',
  },
  {
    ...hourly,
    targets: { first_response: 420 },
    schedule: berlin(nights.filter(({ day }) => day === 'sun')),
    from: '2026-11-15T12:00',
    hours: 24,
    events: '20:00 U',
  },
  {
    ...hourly,
    targets: { first_response: 240 },
    schedule: berlin(nights, '2026-12-25'),
    from: '2026-12-24T12:00',
    hours: 48,
    events: '20:00 U',
  },
  {
    ...hourly,
    targets: { first_response: 360 },
    schedule: berlin(nights),
    from: '2026-03-28T18:00',
    hours: 15,
    events: '20:00 U',
  },
  {
    ...hourly,
    targets: { first_response: 360 },
    schedule: berlin(nights),
    from: '2026-10-24T18:00',
    hours: 15,
    events: '20:00 U',
  },
  { ...morning, targets: { first_response: 120 }, events: '09:00 U, 09:40 N, 11:00 V' },
  {
    ...morning,
    targets: { first_response: 180 },
    events: '09:00 U, 10:30 V',
    newVersion: { targets: { first_response: 60 } },
  },
  {
    ...morning,
    targets: { first_response: 120 },
    events: '09:00 U, 11:20 V',
    newVersion: { targets: { first_response: 270 } },
  },
  {
    ...morning,
    targets: { first_response: 90 },
    schedule: berlin(workdays('09:00', '17:00')),
    events: '09:00 U, 10:00 V',
    newVersion: { schedule: berlin(workdays('12:00', '20:00')) },
  },
]
