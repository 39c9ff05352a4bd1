import { defineResource, on } from '../../../platform/resource/resource.ts'
import { operators } from '../../team/operators/entity.ts'
import { deleteMarksOfOperator } from './queries.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'read-states',
  routes,
  events: [],
  reactions: [
    on(operators, (change, before, after) => {
      if (before && !after) change.effects.write(deleteMarksOfOperator(change.tenantId, before.id))
    }),
  ],
})
