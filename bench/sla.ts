import { setTimeout as sleep } from 'node:timers/promises'
import { agreementOf } from '@backline/server/support/sla/clocks/agreement.ts'
import { follow, type Moment } from '@backline/server/support/sla/clocks/clocks.ts'
import { reportOf } from '@backline/server/support/sla/clocks/report.ts'
import type { Terms } from '@backline/server/support/sla/clocks/terms.ts'
import type pg from 'pg'
import type { Loads, Measured, Target } from './load.ts'

const hourMs = 3_600_000
const breaching = 10_000

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const terms: Terms = {
  targets: [
    {
      priority: null,
      first_response_seconds: 3600,
      next_response_seconds: 7200,
      resolution_seconds: 200_000,
    },
  ],
  schedule: {
    timezone: 'Europe/Berlin',
    weekly: weekdays.flatMap((day) => [
      { day, from: '09:00', to: '12:30' },
      { day, from: '13:30', to: '17:30' },
    ]),
    holidays: [{ date: '2026-12-25', name: null, yearly: true }],
  },
  pauses_on_pending: true,
  warn_at_percent: 80,
}

/** The rate of computing the clocks of a week with 20 events, on one processor. */
export function measureClocks(seconds: number): Measured {
  const agreement = agreementOf(terms, 'normal')
  const start = Date.parse('2026-10-21T07:00:00Z') // the clocks change within the week
  const open = { status: 'open', paused: false, answered: false, unanswered_since: null, agreement } as const
  const trace: [Moment, ...Moment[]] = [{ ...open, at: start }]
  for (let i = 1; i <= 20; i++) {
    const at = start + i * 8 * hourMs
    trace.push(
      i % 2 === 1
        ? { ...open, at, answered: true, status: 'pending' }
        : i % 6 === 0
          ? { ...open, at, answered: true, status: 'on_hold', paused: true }
          : { ...open, at, answered: true, unanswered_since: at },
    )
  }
  const asOf = start + 7 * 24 * hourMs
  let [count, elapsedMs] = [0, 0]
  for (const begun = performance.now(); elapsedMs < seconds * 1000; elapsedMs = performance.now() - begun)
    for (let i = 0; i < 1000; i++, count++) reportOf(follow(trace, true, asOf))
  return { perSecond: (count / elapsedMs) * 1000, p50Ms: Number.NaN, p99Ms: Number.NaN, failed: 0 }
}

/** @returns creates without an applicable config, and with one */
export async function prepareSla(target: Target): Promise<Loads> {
  await post(target, '/v1/sla_configs', { name: 'Web', conditions: { channels: ['web'] }, ...terms })
  const create = (channel: string) => () => ({
    method: 'POST' as const,
    paths: ['/v1/conversations'],
    bodies: [JSON.stringify({ external_user_id: 'user_{unique}', subject: 'Card declined', channel })],
    idempotencyKey: '{unique}',
  })
  return {
    'sla: create, no config for it': create('phone'),
    'sla: create, with clocks': create('web'),
  }
}

/**
 * The rate at which the server's loop writes events of clocks that are all due at one moment: copies of a
 * conversation whose clocks started an hour ago. Conversations without exactly one event count as failed.
 */
export async function measureBreaches(
  client: pg.Client,
  target: Target,
  columns: string[],
): Promise<Measured> {
  await post(target, '/v1/sla_configs', {
    name: 'Social',
    conditions: { channels: ['social'] },
    targets: [{ resolution_seconds: 1800 }],
    warn_at_percent: null,
  })
  const template = await post(target, '/v1/conversations', { external_user_id: 'user_42', channel: 'social' })
  const made: Record<string, string> = {
    id: 'made.id',
    external_id: 'null',
    sla: `jsonb_set(c.sla::jsonb, '{at}', to_jsonb((c.sla->>'at')::bigint - ${hourMs}))::json`,
  }
  await client.query(
    `insert into conversations (${columns.join(', ')})
     select ${columns.map((name) => made[name] ?? `c.${name}`).join(', ')} from conversations c,
       (select pg_temp.made_id(now(), 'breaching ' || n) as id from generate_series(1, ${breaching}) n) made
     where c.channel = 'social'`,
  )
  await client.query('vacuum analyze conversations')
  await client.query('checkpoint')
  const begun = performance.now()
  await client.query(
    `insert into due_work (tenant_id, duty, subject_id, due_at)
     select tenant_id, 'sla_alarm', id, now() from conversations where channel = 'social' and sla_due_at > now()
     on conflict do nothing`,
  )
  const told = `from events where type = 'conversation.sla_breached'`
  const count = async () => Number((await client.query(`select count(*) ${told}`)).rows[0].count)
  while ((await count()) < breaching && performance.now() - begun < 60_000) await sleep(50)
  const seconds = (performance.now() - begun) / 1000
  const { rows } = await client.query(`select count(distinct resource_id) as once, count(*) as all ${told}`)
  const failed = Math.abs(breaching - Number(rows[0].once)) + Number(rows[0].all) - Number(rows[0].once)
  if (!template.sla) throw new Error('The template has no clocks')
  return { perSecond: breaching / seconds, p50Ms: Number.NaN, p99Ms: seconds * 1000, failed }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
async function post({ url, apiKey }: Target, path: string, body: object): Promise<any> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': JSON.stringify(body)
        .slice(0, 200)
        .replaceAll(/[^a-z]/g, ''),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
