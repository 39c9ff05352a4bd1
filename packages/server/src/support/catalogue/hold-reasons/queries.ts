import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { byCreation, byName, defineTable, type Order } from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type FollowUp = { every_seconds: number; template_id: string; max_count: number }

export type HoldReason = RowOf<
  'hold_reasons',
  {
    waiting_on: 'third_party' | 'end_user' | 'operator'
    on_expiry: 'resume' | 'resolve' | 'none'
    follow_up: FollowUp | null
  },
  'name_key' | 'follow_up_every_seconds' | 'follow_up_template_id' | 'follow_up_max_count'
>

export const holdReasonTable = defineTable<HoldReason>({
  name: 'hold_reasons',
  columns: tables.hold_reasons,
  // Three columns, so that the template is a foreign key; one object for readers.
  derived: {
    name_key: { type: 'text', value: (row) => nameKey(row.name) },
    follow_up_every_seconds: { type: 'integer', value: (row) => row.follow_up?.every_seconds ?? null },
    follow_up_template_id: { type: 'uuid', value: (row) => row.follow_up?.template_id ?? null },
    follow_up_max_count: { type: 'integer', value: (row) => row.follow_up?.max_count ?? null },
  },
  joined: {
    follow_up: sql`case when hold_reasons.follow_up_template_id is not null then json_build_object(
      'every_seconds', hold_reasons.follow_up_every_seconds,
      'template_id', hold_reasons.follow_up_template_id,
      'max_count', hold_reasons.follow_up_max_count) end`,
  },
})

export const holdReasonOrders = {
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<HoldReason>>

export const findHoldReasonByName = (
  db: Db,
  tenantId: string,
  name: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from hold_reasons where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)
