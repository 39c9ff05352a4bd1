import type { Ctx } from '../../context.ts'
import { crud } from '../../crud.ts'
import type { Sql } from '../../db/sql.ts'
import { unlessArchived } from '../../db/table.ts'
import { Enum, Optional, Shape } from '../../http/schema.ts'
import { ApiError } from '../../lib/errors.ts'
import { list, read, remove, write } from '../../resource.ts'
import { memberOf, operatorOrders, operatorTable } from '../operators/queries.ts'
import { operatorWire } from '../operators/schema.ts'
import {
  addOperator,
  createDepartment,
  deleteDepartment,
  removeOperator,
  updateDepartment,
} from './actions.ts'
import { availabilityOf } from './availability.ts'
import { departmentOrders, departmentTable } from './queries.ts'
import { availabilityWire, DepartmentPatch, departmentWire, NewDepartment } from './schema.ts'

const params = { id: 'dept' }
const memberParams = { id: 'dept', operator_id: 'op' }

async function requireDepartment({ db, env }: Ctx, id: string): Promise<void> {
  if (!(await departmentTable.find(db, env.tenantId, id))) throw new ApiError('not_found')
}

const MemberFilters = Shape({
  archived: Optional(
    Enum(['true', 'false'], { default: 'false', description: 'Shall archived ones be listed, too?' }),
  ),
})

const members = (
  { env }: Ctx,
  departmentId: string,
  { archived }: { archived?: 'true' | 'false' | undefined },
): Sql[] => [memberOf(env.tenantId, departmentId), ...unlessArchived(archived)]

export const routes = [
  ...crud({
    path: '/departments',
    family: 'departments',
    prefix: 'dept',
    noun: 'department',
    wire: departmentWire,
    table: departmentTable,
    orders: departmentOrders,
    create: {
      body: NewDepartment,
      example: {
        name: 'Billing',
        description: 'Invoices, refunds and cards.',
        email: 'billing@example.com',
        assignment: { strategy: 'round_robin', max_open_per_operator: 5 },
      },
      handle: createDepartment,
    },
    update: {
      body: DepartmentPatch,
      example: { assignment: { max_open_per_operator: 8 } },
      handle: (change, patch, id) => updateDepartment(change, id, patch),
    },
    remove: {
      description: 'Its members leave it first. One with more than 100 of them is in use.',
      handle: deleteDepartment,
    },
  }),
  list({
    path: '/departments/{id}/operators',
    name: 'listDepartmentOperators',
    summary: 'List the members of a department',
    scope: 'departments:read',
    params,
    query: MemberFilters,
    item: operatorWire,
    sorts: ['name', '-created_at', 'created_at'],
    sortKey: (row, sort) => operatorOrders[sort].key(row),
    handle: async (ctx, { params, query, page }) => {
      const [operators] = await Promise.all([
        operatorTable.list(
          ctx.db,
          ctx.env.tenantId,
          members(ctx, params.id, query),
          operatorOrders[page.sort],
          page,
        ),
        requireDepartment(ctx, params.id),
      ])
      return operators
    },
    count: (ctx, { params, query }, atMost) =>
      operatorTable.count(ctx.db, ctx.env.tenantId, members(ctx, params.id, query), atMost),
  }),
  write({
    method: 'PUT',
    path: '/departments/{id}/operators/{operator_id}',
    name: 'addDepartmentOperator',
    summary: 'Make an operator a member of a department',
    description: "Does nothing if it is one. `If-Match` names the department's version.",
    scope: 'departments:write',
    params: memberParams,
    errors: ['invalid_transition'],
    reply: departmentWire,
    handle: (change, { params }) => addOperator(change, params.id, params.operator_id!),
  }),
  remove({
    path: '/departments/{id}/operators/{operator_id}',
    name: 'removeDepartmentOperator',
    summary: 'End the membership of an operator',
    description: "`If-Match` names the department's version.",
    scope: 'departments:write',
    params: memberParams,
    handle: (change, { params }) => removeOperator(change, params.id, params.operator_id!),
  }),
  read({
    path: '/departments/{id}/availability',
    name: 'getDepartmentAvailability',
    summary: 'See who is there, and what waits',
    scope: 'departments:read',
    params,
    reply: availabilityWire,
    versioned: false,
    handle: (ctx, { params }) => availabilityOf(ctx, params.id),
  }),
]
