import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Columns, rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, byName, defineTable, type Order } from '../../../platform/tables/table.ts'
import { type Facts, generationIn, rememberFacts } from '../../../platform/unit-of-work/memory.ts'
import { type StoredTag, tagsIn } from '../../catalogue/tags/queries.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { Terms } from '../clocks/terms.ts'

/** The conversations that a config applies to: any of the listed values; an empty list matches all. */
export type Conditions = {
  department_ids: string[]
  category_ids: string[]
  company_ids: string[]
  priorities: string[]
  channels: string[]
  tags: StoredTag[]
}

export type SlaConfig = RowOf<'sla_configs', Conditions & Terms, 'name_key' | 'tag_ids'>

export const slaConfigTable = defineTable<SlaConfig>({
  name: 'sla_configs',
  columns: tables.sla_configs,
  derived: {
    name_key: { type: 'text', value: (row) => nameKey(row.name) },
    tag_ids: { type: 'uuid[]', value: (row) => [...new Set(row.tags.map(({ id }) => id))] },
  },
  joined: { tags: tagsIn(sql`sla_configs.tag_ids`) },
})

const inOrder = sql`position, id`

export const slaConfigOrders = {
  position: {
    by: inOrder,
    after: ([position, id]) => sql`(position, id) > (${position}, ${id})`,
    key: (row) => [row.position, row.id],
  },
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<SlaConfig>>

export const findSlaConfigByName = (db: Db, tenantId: string, name: string): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from sla_configs where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)

/** All configs, including archived ones. */
export const findAllSlaConfigs = (db: Db, tenantId: string): Promise<SlaConfig[]> =>
  db.slowRows(sql`select ${slaConfigTable.columns(tenantId)} from sla_configs
    where sla_configs.tenant_id = ${tenantId} order by ${inOrder}`)

export const slaGenerations = sql`sla_generations`

/** The configs that may apply, in order. */
export async function findActiveSlaConfigs(db: Db, tenantId: string): Promise<Facts<SlaConfig[]>> {
  const rows = await db.rows<
    SlaConfig & { generation: number }
  >(sql`select present.generation, ${slaConfigTable.columns(tenantId)}
    from (select ${generationIn(slaGenerations, tenantId)} as generation) present
      left join sla_configs on sla_configs.tenant_id = ${tenantId} and not sla_configs.archived
    order by ${inOrder}`)
  return {
    generation: rows[0]!.generation,
    value: rows.filter(({ id }) => id !== null).map(({ generation: _, ...config }) => config),
  }
}

/** The same for a write that chooses one. */
export const activeSlaConfigs = rememberFacts(slaGenerations, findActiveSlaConfigs)

/** The position after the last one. */
export async function nextPosition(db: Db, tenantId: string): Promise<number> {
  const [row] = await db.rows<{
    next: number
  }>(sql`select least(coalesce(max(position), 0) + 1::bigint, 2147483647) as next
    from sla_configs where tenant_id = ${tenantId}`)
  return row!.next
}

/** Increments the generation once per change, for any number of configs. */
export const raiseGeneration = (tenantId: string): Sql =>
  sql`insert into sla_generations (tenant_id, generation) values (${tenantId}, 1)
    on conflict (tenant_id) do update set generation = sla_generations.generation + 1`

const versions = rowSet<SlaConfig>({
  sla_config_id: ['uuid', ({ id }) => id],
  version: ['integer', ({ version }) => version],
  terms: ['json', (config) => JSON.stringify(termsOf(config))],
})

export const termsOf = ({ targets, schedule, pauses_on_pending, warn_at_percent }: Terms): Terms => ({
  targets,
  schedule,
  pauses_on_pending,
  warn_at_percent,
})

/** Stores the terms of a config from this version on. */
export const insertTerms = (tenantId: string, configs: SlaConfig[]): Sql =>
  sql`insert into sla_config_versions (tenant_id, sla_config_id, version, terms)
    select ${tenantId}::uuid, sla_config_id, version, terms from ${versions(configs)}`

type TagUse = { tag_id: string; sla_config_id: string }
const tagUse: Columns<TagUse> = {
  tag_id: ['uuid', ({ tag_id }) => tag_id],
  sla_config_id: ['uuid', ({ sla_config_id }) => sla_config_id],
}
const tagUses = rowSet(tagUse)

export const insertTagUses = (tenantId: string, uses: TagUse[]): Sql =>
  sql`insert into sla_config_tags (tenant_id, tag_id, sla_config_id)
    select ${tenantId}::uuid, tag_id, sla_config_id from ${tagUses(uses)}`

export const deleteTagUses = (tenantId: string, uses: TagUse[]): Sql =>
  sql`delete from sla_config_tags using ${tagUses(uses)} where sla_config_tags.tenant_id = ${tenantId}
    and sla_config_tags.tag_id = v.tag_id and sla_config_tags.sla_config_id = v.sla_config_id`
