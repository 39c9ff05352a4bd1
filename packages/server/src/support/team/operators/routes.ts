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
      description:
        'A new operator is offline and belongs to no department. To receive conversations by routing, it needs the status `online` and a department.',
      handle: createOperator,
    },
    list: { description: 'Lists the operators with their status, departments and load.' },
    read: {
      description:
        'Returns an operator. `open_conversations` is current, although it does not increase `version`: read it without `If-None-Match`.',
    },
    update: {
      body: OperatorPatch,
      example: { role: 'lead', capacity: 8 },
      description:
        'Archiving an operator sets it offline and ends routing to it; its conversations stay assigned. The last `admin` who is not archived cannot be archived or get another role (409 `invalid_transition`, `params.from`: `last_admin`).',
      errors: ['invalid_transition'],
      handle: (change, patch, id) => updateOperator(change, id, patch),
    },
    remove: {
      description:
        'Also removes the operator from its departments. An operator with conversations, messages or articles cannot be deleted (409 `resource_in_use`). Archive it instead. Neither can the last `admin` (409 `invalid_transition`, `params.from`: `last_admin`).',
      errors: ['invalid_transition'],
      handle: deleteOperator,
    },
  }),
  ...statusRoutes,
]
