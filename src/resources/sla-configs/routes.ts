import { crud } from '../../crud.ts'
import { listOf } from '../../http/wire.ts'
import { write } from '../../resource.ts'
import {
  createSlaConfig,
  deleteSlaConfig,
  previewSchedule,
  reorderSlaConfigs,
  simulateSlaConfig,
  updateSlaConfig,
} from './actions.ts'
import { slaConfigOrders, slaConfigTable } from './queries.ts'
import {
  maxOrdered,
  NewSlaConfig,
  SlaConfigOrder,
  SlaConfigPatch,
  slaConfigExample,
  slaConfigWire,
} from './schema.ts'
import {
  SchedulePreview,
  Simulation,
  simulatedWire,
  simulationExample,
  workingSpansWire,
} from './simulation-schema.ts'

const { name, conditions, schedule } = slaConfigExample

export const routes = [
  ...crud({
    path: '/sla_configs',
    family: 'sla_configs',
    prefix: 'sla',
    noun: 'SLA config',
    wire: slaConfigWire,
    table: slaConfigTable,
    orders: slaConfigOrders,
    create: {
      body: NewSlaConfig,
      example: {
        name,
        conditions: {
          department_ids: conditions.department_ids,
          channels: ['email', 'web'],
          tags_any: conditions.tags_any,
        },
        targets: [
          {
            priority: 'urgent',
            first_response_seconds: 900,
            next_response_seconds: 1800,
            resolution_seconds: 14400,
          },
          { first_response_seconds: 3600, resolution_seconds: 86400 },
        ],
        schedule,
      },
      handle: createSlaConfig,
    },
    update: {
      description:
        'What `targets`, `schedule`, `pauses_on_pending` or `warn_at_percent` become, running clocks go by within seconds; what they used stays used. Other `conditions`, another `position` and archiving matter when a config is chosen the next time.',
      body: SlaConfigPatch,
      example: { schedule: { timezone: 'Europe/London' }, warn_at_percent: 90 },
      replyExample: {
        ...slaConfigExample,
        schedule: { ...schedule, timezone: 'Europe/London' },
        warn_at_percent: 90,
        version: 2,
      },
      handle: (change, patch, id) => updateSlaConfig(change, id, patch),
    },
    remove: { handle: deleteSlaConfig },
  }),
  write({
    method: 'POST',
    path: '/sla_configs/reorder',
    name: 'reorderSlaConfigs',
    summary: 'Put SLA configs into another order',
    description: `Numbers the positions of all of them, archived ones too, from 1. Answers with the first ${maxOrdered} in their order.`,
    scope: 'sla_configs:write',
    body: SlaConfigOrder,
    bodyExample: { ids: [slaConfigExample.id, 'sla_01kah1vgm0e1tbm5ye8n2m9q7d'] },
    reply: listOf('OrderedSlaConfigs', slaConfigWire, maxOrdered),
    versionOf: null,
    handle: (change, { body }) => reorderSlaConfigs(change, body),
  }),
  write({
    method: 'POST',
    path: '/sla_configs/{id}/simulate',
    name: 'simulateSlaConfig',
    summary: 'Work out the clocks of a conversation that might be',
    description:
      'Answers what `conversation.sla` would be, under the terms that the config has now. Changes nothing.',
    scope: 'sla_configs:read',
    params: { id: 'sla' },
    body: Simulation,
    bodyExample: simulationExample,
    reply: simulatedWire,
    versionOf: null,
    handle: (change, { params, body }) => simulateSlaConfig(change, params.id, body),
  }),
  write({
    method: 'POST',
    path: '/sla_configs/preview_schedule',
    name: 'previewSchedule',
    summary: 'List the working spans of a schedule',
    description: 'As instants, in their order, cut to the window that is asked for. Changes nothing.',
    scope: 'sla_configs:read',
    body: SchedulePreview,
    bodyExample: { schedule: slaConfigExample.schedule, from: '2026-11-20T00:00:00Z', days: 1 },
    reply: workingSpansWire,
    versionOf: null,
    handle: (change, { body }) => previewSchedule(change, body),
  }),
]
