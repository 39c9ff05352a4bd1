import { LRUCache } from 'lru-cache'
import type { Db } from '../../../platform/postgres/database.ts'
import { cacheOf } from '../../../platform/postgres/process-state.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { departments } from '../../team/departments/entity.ts'
import { findActiveSlaConfigs, generationIs, type SlaConfig } from './queries.ts'

/** The fields that determine the choice of a config. */
type Chooser = {
  department_id: string | null
  category_id: string | null
  company_id: string | null
  priority: string
  channel: string
  tags: { id: string }[]
}

type ActiveConfigs = { generation: number; configs: SlaConfig[] }

/**
 * The cached configs of an environment. A write that chose one is guarded by their generation in any process; after a
 * conflict they are read again.
 */
const newCache = () => new LRUCache<string, ActiveConfigs>({ max: 1_000 })

/** The config for a conversation: the first with matching conditions, otherwise its department's default. */
export async function chooseSlaConfig(change: Change, conversation: Chooser): Promise<SlaConfig | null> {
  const { tenantId, db } = change
  const cache = cacheOf(db, newCache)
  const { generation, configs } = cache.get(tenantId) ?? (await readConfigs(db, tenantId))
  change.effects.writeExpecting(generationIs, { generation })
  change.onConflict(() => cache.delete(tenantId))
  const matching = configs.find((config) => meets(conversation, config))
  if (matching || configs.length === 0 || conversation.department_id === null) return matching ?? null
  const department = await change.rows.find(departments, conversation.department_id)
  return configs.find(({ id }) => id === department?.default_sla_config_id) ?? null
}

async function readConfigs(db: Db, tenantId: string): Promise<ActiveConfigs> {
  const read = await findActiveSlaConfigs(db, tenantId)
  cacheOf(db, newCache).set(tenantId, read)
  return read
}

const meets = (conversation: Chooser, config: SlaConfig): boolean =>
  isAmong(config.department_ids, conversation.department_id) &&
  isAmong(config.category_ids, conversation.category_id) &&
  isAmong(config.company_ids, conversation.company_id) &&
  isAmong(config.priorities, conversation.priority) &&
  isAmong(config.channels, conversation.channel) &&
  (config.tags.length === 0 || config.tags.some((tag) => conversation.tags.some(({ id }) => id === tag.id)))

const isAmong = (values: string[], value: string | null): boolean =>
  values.length === 0 || (value !== null && values.includes(value))
