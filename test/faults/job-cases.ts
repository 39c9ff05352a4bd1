import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import type { Database } from '@backline/server/platform/postgres/database.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { JobType } from '@backline/server/support/jobs/queries.ts'
import { slotOf } from '@backline/server/support/properties/custom-fields/queries.ts'
import { succeeded } from '../desk.ts'
import type { World } from '../harness.ts'
import { conversationLine, type Line, messageLine, startImport } from '../imports.ts'
import { started } from '../jobs.ts'
import { isFull } from './lengths.ts'

/* A job of each type, with enough work that it can be killed in the middle several times. */

export type Stage = { url: string; db: Database; world: World }

export type JobCase = {
  /** The lines that are imported first. */
  lines?: Line[]
  prepare?(stage: Stage): Promise<void>
  /** Starts the job, at once or at a later time. */
  start(stage: Stage): Promise<unknown>
}

const scale = isFull ? 4 : 1
const minute = (i: number) => new Date(Date.UTC(2020, 0, 1) + i * 60_000).toISOString()

/** Closed conversations of 2020. With one message each, their import does not depend on how it is divided into parts. */
function history(count: number, fields: (i: number) => object = () => ({})): Line[] {
  const lines: Line[] = []
  for (let i = 0; i < count * scale; i++) {
    const given = { created_at: minute(i), closed_at: minute(i + 600), ...fields(i) }
    lines.push(conversationLine(`c${i}`, { end_user_external_id: `user_${i % 50}`, ...given }))
    lines.push(messageLine(`c${i}-0`, `c${i}`, { created_at: minute(i) }))
  }
  return lines
}

const ofGrace = () => ({ end_user_external_id: 'grace' })

async function grace({ world }: Stage): Promise<string> {
  const { data } = succeeded(await world.test.get('/v1/end_users?external_id=grace'))
  return data[0].id
}

/** Lines of every stage of an import: people, tags, conversations that refer to others, a long one, faults. */
function mixedLines(): Line[] {
  const lines: Line[] = []
  for (let i = 0; i < 40; i++) lines.push({ type: 'end_user', external_id: `user_${i}`, name: `User ${i}` })
  for (let i = 0; i < 200 * scale; i++) {
    const count = i === 100 ? 1_000 : 5
    for (let j = 0; j < count; j++) {
      const given = j % 2 ? { author_side: 'operator', operator_external_id: `op_${i % 7}` } : {}
      lines.push(messageLine(`c${i}-${j}`, `c${i}`, { ...given, created_at: minute(j) }))
    }
    lines.push(
      conversationLine(`c${i}`, {
        end_user_external_id: `user_${i % 50}`,
        status: i % 3 ? 'closed' : 'open',
        assignee_external_id: `op_${i % 7}`,
        tags: [`tag ${i % 5}`],
        created_at: minute(0),
        ...(i > 0 && i % 10 === 0 ? { follow_up_of_external_id: `c${i - 1}` } : {}),
      }),
    )
  }
  lines.push({ type: 'conversation', external_id: 'bad' }, 'no JSON')
  return lines
}

/** Companies with a value of a custom field; one is made by the API, and copied. */
async function companiesWithValues({ db, world }: Stage): Promise<void> {
  const field = { applies_to: 'company', key: 'size', name: 'Size', type: 'number' }
  const { id } = succeeded(await world.test.post('/v1/custom_fields', field))
  const company = succeeded(await world.test.post('/v1/companies', { name: 'Acme' }))
  await db.write(sql`insert into companies
    select (jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(),
      'custom_values', jsonb_build_object(${slotOf(uuidOf('cf', id)!)}::text, i)))).*
    from companies original cross join generate_series(1, ${12_000 * scale}::integer) i
    where tenant_id = ${world.environments.test.tenantId} and id = ${uuidOf('co', company.id)}`)
}

/** A new type of jobs needs an entry. */
export const jobCases: Record<JobType, JobCase> = {
  bulk: {
    lines: history(200, () => ({ status: 'open', closed_at: undefined, tags: ['outage'] })),
    start: ({ world }) =>
      started(world.test, '/v1/bulk', {
        selection: { filter: { field: 'tags', op: 'contains', value: 'outage' } },
        actions: [
          { type: 'note', body: 'It works again' },
          { type: 'add_tags', tags: ['told'] },
        ],
      }),
  },
  export: {
    lines: history(1_000),
    start: ({ world }) => started(world.test, '/v1/exports', {}),
  },
  import: {
    start: ({ url, world }) => startImport({ url }, world.test, mixedLines(), { gzip: true }),
  },
  erasure: {
    lines: history(150, (i) => (i % 10 ? ofGrace() : {})),
    start: async (stage) =>
      started(stage.world.test, `/v1/end_users/${await grace(stage)}/erase`, { mode: 'anonymise' }),
  },
  person_export: {
    lines: history(600, ofGrace),
    start: async (stage) => started(stage.world.test, `/v1/end_users/${await grace(stage)}/export`, {}),
  },
  retention: {
    lines: history(200, (i) => ({ tags: [i % 10 ? 'old' : 'kept'] })),
    start: async ({ world }) =>
      succeeded(
        await world.test.post('/v1/retention_policies', {
          name: 'Old ones',
          filter: { field: 'tags', op: 'contains', value: 'old' },
          after_seconds: 86_400,
          action: 'redact',
          status: 'enabled',
        }),
      ),
  },
  custom_field_removal: {
    prepare: companiesWithValues,
    async start({ world }) {
      const { data } = succeeded(await world.test.get('/v1/custom_fields'))
      succeeded(await world.test.delete(`/v1/custom_fields/${data[0].id}`))
    },
  },
}
