import type { Change } from '../../../platform/unit-of-work/change.ts'
import { departments } from '../../team/departments/entity.ts'
import { activeSlaConfigs, type SlaConfig } from './queries.ts'

/** The fields that determine the choice of a config. */
type Chooser = {
  department_id: string | null
  category_id: string | null
  company_id: string | null
  priority: string
  channel: string
  tags: { id: string }[]
}

/** The config for a conversation: the first with matching conditions, otherwise its department's default. */
export async function chooseSlaConfig(change: Change, conversation: Chooser): Promise<SlaConfig | null> {
  const { value: configs } = await activeSlaConfigs.for(change)
  const matching = configs.find((config) => meets(conversation, config))
  if (matching || configs.length === 0 || conversation.department_id === null) return matching ?? null
  const department = await change.rows.find(departments, conversation.department_id)
  return configs.find(({ id }) => id === department?.default_sla_config_id) ?? null
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
