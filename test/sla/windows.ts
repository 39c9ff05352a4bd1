/*
 * Unusual changes of wall clocks. `at` is the time at which a zone's clocks change. Near the times of `quiet` nothing
 * changes, but the calendar has its boundaries there.
 */
export type Window = { zone: string; at: string }

export const changes: Window[] = [
  { zone: 'Europe/Berlin', at: '2026-03-29T01:00Z' },
  { zone: 'Europe/Berlin', at: '2026-10-25T01:00Z' },
  { zone: 'Europe/Berlin', at: '2100-03-28T01:00Z' },
  { zone: 'America/New_York', at: '2026-03-08T07:00Z' },
  { zone: 'America/New_York', at: '2026-11-01T06:00Z' },
  { zone: 'America/New_York', at: '2100-11-07T06:00Z' },
  // At midnight: a day begins at 01:00, or the last hour of the day before is repeated.
  { zone: 'America/Sao_Paulo', at: '2011-10-16T03:00Z' },
  { zone: 'America/Sao_Paulo', at: '2018-02-18T02:00Z' },
  { zone: 'America/Sao_Paulo', at: '2018-11-04T03:00Z' },
  { zone: 'America/Havana', at: '2026-03-08T05:00Z' },
  { zone: 'Africa/Cairo', at: '2026-04-23T22:00Z' },
  { zone: 'Africa/Cairo', at: '2026-10-29T21:00Z' },
  // A minute after midnight, in a zone with a half-hour offset.
  { zone: 'America/St_Johns', at: '2011-03-13T03:31Z' },
  { zone: 'America/St_Johns', at: '2010-11-07T02:31Z' },
  { zone: 'America/St_Johns', at: '2026-03-08T05:30Z' },
  // By half an hour, two hours, a quarter of an hour.
  { zone: 'Australia/Lord_Howe', at: '2026-04-04T15:00Z' },
  { zone: 'Australia/Lord_Howe', at: '2026-10-03T15:30Z' },
  { zone: 'Antarctica/Troll', at: '2026-03-29T01:00Z' },
  { zone: 'Antarctica/Troll', at: '2026-10-25T01:00Z' },
  { zone: 'Asia/Kathmandu', at: '1985-12-31T18:30Z' },
  { zone: 'Asia/Pyongyang', at: '2018-05-04T15:00Z' },
  { zone: 'America/Caracas', at: '2016-05-01T07:00Z' },
  { zone: 'Pacific/Chatham', at: '2026-04-04T14:00Z' },
  { zone: 'Pacific/Chatham', at: '2026-09-26T14:00Z' },
  // By a whole day, which Samoa skipped.
  { zone: 'Pacific/Apia', at: '2011-12-30T10:00Z' },
  // Winter time in summer, for Ramadan, and a summer time that is the standard time.
  { zone: 'Africa/Casablanca', at: '2026-02-15T02:00Z' },
  { zone: 'Africa/Casablanca', at: '2026-03-22T02:00Z' },
  { zone: 'Europe/Dublin', at: '2026-03-29T01:00Z' },
  { zone: 'Europe/Dublin', at: '2026-10-25T01:00Z' },
]

export const quiet: Window[] = [
  { zone: 'UTC', at: '2028-02-29T00:00Z' },
  { zone: 'Asia/Kolkata', at: '2027-02-28T18:30Z' },
  { zone: 'Asia/Kathmandu', at: '2026-12-31T18:15Z' },
  { zone: 'Europe/London', at: '2100-03-01T00:00Z' },
]
