import type { Schedule, SlaConditions, SlaConfig, SlaTarget } from '@backline/sdk'
import type { clocks } from '../../texts/values.ts'

export type SlaDraft = {
  name: string
  description: string
  conditions: SlaConditions
  targets: SlaTarget[]
  schedule: Schedule | null
  pauses_on_pending: boolean
  warn_at_percent: number | null
}

const noConditions: SlaConditions = {
  department_ids: [],
  category_ids: [],
  company_ids: [],
  priorities: [],
  channels: [],
  tags_any: [],
}

export type Clock = (typeof clocks)[number]

export const draftOf = (config: SlaConfig | null): SlaDraft => ({
  name: config?.name ?? '',
  description: config?.description ?? '',
  conditions: config?.conditions ?? noConditions,
  targets: config?.targets ?? [],
  schedule: config?.schedule ?? null,
  pauses_on_pending: config?.pauses_on_pending ?? true,
  warn_at_percent: config ? config.warn_at_percent : 80,
})
