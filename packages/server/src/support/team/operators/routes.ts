import { crud } from '../../../platform/resource/crud.ts'
import { createOperator, deleteOperator, updateOperator } from './actions.ts'
import { operatorConditions, operatorOrders, operatorTable } from './queries.ts'
import { NewOperator, OperatorFilters, OperatorPatch, operatorWire } from './schema.ts'
import { statusRoutes } from './status-routes.ts'

export const routes = [
  ...crud({
    path: '/operators',
    family: 'operators',
    prefix: 'op',
    noun: 'operator',
    wire: operatorWire,
    table: operatorTable,
    orders: operatorOrders,
    filters: OperatorFilters,
    conditions: operatorConditions,
    create: {
      body: NewOperator,
      example: { name: 'Ada Lovelace', email: 'ada@example.com', capacity: 5, timezone: 'Europe/London' },
      description: 'A new operator is offline and belongs to no department.',
      handle: createOperator,
    },
    update: {
      body: OperatorPatch,
      example: { role: 'lead', capacity: 8 },
      description: 'Archiving an operator sets it offline.',
      handle: (change, patch, id) => updateOperator(change, id, patch),
    },
    remove: { description: 'Also removes the operator from its departments.', handle: deleteOperator },
  }),
  ...statusRoutes,
]
