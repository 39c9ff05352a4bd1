import { crud } from '../../../platform/resource/crud.ts'
import { write } from '../../../platform/resource/resource.ts'
import { listOf } from '../../../platform/resource/wire.ts'
import {
  createSlaConfig,
  deleteSlaConfig,
  previewSchedule,
  reorderSlaConfigs,
  updateSlaConfig,
} from './actions.ts'
import { slaConfigOrders, slaConfigTable } from './queries.ts'
import { SchedulePreview, workingSpansWire } from './schedule-preview.ts'
import {
  maxOrdered,
  NewSlaConfig,
  SlaConfigOrder,
  SlaConfigPatch,
  slaConfigExample,
  slaConfigWire,
} from './schema.ts'

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
      description:
        'An SLA config sets response times for the conversations that match its conditions, counted in business hours. Without `position`, it is evaluated last. A conversation chooses its config when it is created, and again when its priority, category, department, company or tags change.',
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
    list: { description: 'Lists the SLA configs in the order in which they are evaluated.' },
    read: { description: 'Returns an SLA config with its conditions, targets and schedule.' },
    update: {
      description:
        'Changes to `targets`, `schedule`, `pauses_on_pending` and `warn_at_percent` apply to running clocks within seconds; time already elapsed stays elapsed. Changes to `conditions` and `position`, and archiving, take effect the next time a config is chosen for a conversation.',
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
    remove: {
      description:
        'An SLA config that conversations or departments refer to cannot be deleted (409). Archive it instead: clocks that run under it continue.',
      handle: deleteSlaConfig,
    },
  }),
  write({
    method: 'POST',
    path: '/sla_configs/reorder',
    name: 'reorderSlaConfigs',
    summary: 'Reorder SLA configs',
    description: `Renumbers the positions of all SLA configs from 1, archived ones included. Returns the first ${maxOrdered} in their new order.`,
    scope: 'sla_configs:write',
    body: SlaConfigOrder,
    bodyExample: { ids: [slaConfigExample.id, 'sla_01kah1vgm0e1tbm5ye8n2m9q7d'] },
    reply: listOf('OrderedSlaConfigs', slaConfigWire, maxOrdered),
    versionOf: null,
    handle: (change, { body }) => reorderSlaConfigs(change, body),
  }),
  write({
    method: 'POST',
    path: '/sla_configs/preview_schedule',
    name: 'previewSchedule',
    summary: 'Preview a schedule',
    description:
      'Returns the spans in which time counts as pairs of timestamps, in order, clipped to the requested window. Changes nothing.',
    scope: 'sla_configs:read',
    body: SchedulePreview,
    bodyExample: { schedule: slaConfigExample.schedule, from: '2026-11-20T00:00:00Z', days: 1 },
    reply: workingSpansWire,
    versionOf: null,
    handle: (change, { body }) => previewSchedule(change, body),
  }),
]
