import { read } from '../../../../platform/resource/resource.ts'
import { availabilityOf } from './availability.ts'
import { availabilityWire } from './schema.ts'

export const routingRoutes = [
  read({
    path: '/departments/{id}/availability',
    name: 'getDepartmentAvailability',
    summary: 'Get department availability',
    description:
      'Returns how many members have each status, and how many conversations are open and waiting, as of now.',
    scope: 'departments:read',
    params: { id: 'dept' },
    documentedUnder: 'departments',
    reply: availabilityWire,
    versioned: false,
    handle: (ctx, { params }) => availabilityOf(ctx, params.id),
  }),
]
