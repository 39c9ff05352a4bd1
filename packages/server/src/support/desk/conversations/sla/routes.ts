import { write } from '../../../../platform/resource/resource.ts'
import { simulateSlaConfig } from './simulation.ts'
import { Simulation, simulatedWire, simulationExample } from './simulation-schema.ts'

export const slaRoutes = [
  write({
    method: 'POST',
    path: '/sla_configs/{id}/simulate',
    name: 'simulateSlaConfig',
    summary: 'Simulate SLA clocks',
    description:
      'Returns what `conversation.sla` would be for a hypothetical conversation under the current terms of the config. Changes nothing.',
    scope: 'sla_configs:read',
    documentedUnder: 'sla-configs',
    params: { id: 'sla' },
    body: Simulation,
    bodyExample: simulationExample,
    reply: simulatedWire,
    versionOf: null,
    handle: (change, { params, body }) => simulateSlaConfig(change, params.id, body),
  }),
]
