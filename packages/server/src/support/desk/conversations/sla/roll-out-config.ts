import { plusSeconds } from '../../../../platform/kernel/clock.ts'
import type { Job } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { slaConfigs } from '../../../sla/sla-configs/entity.ts'
import { slaJobs } from '../../../sla/sla-configs/lifecycle.ts'
import { conversationsBehind } from './queries.ts'
import { applyConfig } from './update-clocks.ts'

/** The size of a batch; the next one runs after other waiting work. */
const batchSize = 100
const pauseSeconds = 0.01

/** Applies new terms of a config to the conversations that follow it; they keep their elapsed time. */
const rollOut = (name: string): Job => ({
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

export const rollOutSlaConfig = rollOut(slaJobs.follow)

/** A second run finds conversations that chose the previous version in a statement that was still running. */
export const rollOutSlaConfigAgain = rollOut(slaJobs.secondLook)
