import { parseInstant, plusSeconds, toUnixMs } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { calendarOf } from '../clocks/calendar.ts'
import { noConditions, patchedConditions } from './conditions.ts'
import { slaConfigs } from './entity.ts'
import { findAllSlaConfigs, nextPosition, type SlaConfig } from './queries.ts'
import { patchedSchedule } from './schedule.ts'
import type { SchedulePreview, WorkingSpan } from './schedule-preview.ts'
import { maxOrdered, type NewSlaConfig, type SlaConfigOrder, type SlaConfigPatch } from './schema.ts'
import { noTerms, patchedTerms } from './terms.ts'

export { chooseSlaConfig } from './choosing.ts'

export async function createSlaConfig(change: Change, input: NewSlaConfig): Promise<SlaConfig> {
  const references = new References(change)
  const row: SlaConfig = {
    ...change.stamp(),
    name: input.name,
    description: input.description ?? null,
    position: input.position ?? (await nextPosition(change.db, change.tenantId)),
    ...(await patchedConditions(change, references, noConditions, input.conditions)),
    ...patchedTerms(references, noTerms, input),
    archived: input.archived ?? false,
  }
  references.check()
  return change.rows.create(slaConfigs, row)
}

export async function updateSlaConfig(change: Change, id: string, patch: SlaConfigPatch): Promise<SlaConfig> {
  const before = await change.rows.load(slaConfigs, id)
  const references = new References(change)
  const { conditions, ...fields } = patch
  const after = {
    ...fields,
    ...(await patchedConditions(change, references, before, conditions)),
    ...patchedTerms(references, before, patch),
  }
  references.check()
  return change.rows.update(slaConfigs, before, after)
}

export async function deleteSlaConfig(change: Change, id: string): Promise<void> {
  change.rows.remove(slaConfigs, await change.rows.load(slaConfigs, id))
}

/**
 * Numbers all configs from 1: the named ones first, then the others in their order. All are guarded, so the slower of
 * two concurrent requests runs again.
 * @returns the first configs
 */
export async function reorderSlaConfigs(change: Change, { ids }: SlaConfigOrder): Promise<SlaConfig[]> {
  await change.lock('sla_configs/order')
  const present = await findAllSlaConfigs(change.db, change.tenantId)
  const order = new Set([...named(change, present, ids), ...present])
  const configs = [...order].map((config, i) =>
    change.rows.update(slaConfigs, config, { position: i + 1 }, 'sla_config.reordered'),
  )
  return configs.slice(0, maxOrdered)
}

function named(change: Change, present: SlaConfig[], ids: string[]): Set<SlaConfig> {
  const byId = new Map(present.map((config) => [typeId('sla', config.id), config]))
  const references = new References(change)
  const found = new Set<SlaConfig>()
  for (const [i, id] of ids.entries()) {
    const pointer = `/ids/${i}`
    const config = byId.get(id)
    if (!config) {
      const detail = 'must be the id of an existing SLA config'
      references.fault({ pointer, code: 'not_found', detail })
    } else found.add(config)
  }
  references.check()
  return found
}

/** The working spans of a schedule as instants. Writes nothing. */
export function previewSchedule(change: Change, { schedule, from, days }: SchedulePreview): WorkingSpan[] {
  const start = parseInstant(from)!
  const complete = patchedSchedule(null, schedule, () => {})
  change.discard()
  const window = [toUnixMs(start), toUnixMs(plusSeconds(start, days * 86_400))] as const
  return calendarOf(complete)
    .pieces(...window)
    .filter(({ kind }) => kind === 'in_schedule')
}
