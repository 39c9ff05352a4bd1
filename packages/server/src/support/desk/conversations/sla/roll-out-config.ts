import { plusSeconds } from '../../../../platform/kernel/clock.ts'
import type { Job } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { slaConfigs } from '../../../sla/sla-configs/entity.ts'
import { slaJobs } from '../../../sla/sla-configs/lifecycle.ts'
import { conversationsBehind } from './queries.ts'
import { applyConfig } from './update-clocks.ts'

/** So many are taken along at once, and the rest after what others may be waiting for. */
const batchSize = 100
const pauseSeconds = 0.01

/** The terms of a config are others now: the conversations that follow it go on under these, with the time that they used. */
const takeAlong = (name: string): Job => ({
  name,
  async perform(change: Change, configId: string) {
    const config = await change.rows.find(slaConfigs, configId)
    if (!config) return
    const behind = await conversationsBehind(change.db, change.tenantId, configId, config.version, batchSize)
    for (const conversation of behind) applyConfig(change, conversation, config)
    if (behind.length === batchSize)
      change.jobs.schedule(name, configId, plusSeconds(change.now, pauseSeconds))
  },
})

export const rollOutSlaConfig = takeAlong(slaJobs.follow)

/** Who chose the former version while it was being replaced, and was written after that, is found by a second look. */
export const rollOutSlaConfigAgain = takeAlong(slaJobs.secondLook)
