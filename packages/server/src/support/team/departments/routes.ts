import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { crud } from '../../../platform/resource/crud.ts'
import { list, remove, write } from '../../../platform/resource/resource.ts'
import { Enum, Optional, Shape } from '../../../platform/resource/schema.ts'
import { unlessArchived } from '../../../platform/tables/table.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { memberOf, operatorOrders, operatorTable } from '../operators/queries.ts'
import { operatorWire } from '../operators/schema.ts'
import {
  addOperator,
  createDepartment,
  deleteDepartment,
  removeOperator,
  updateDepartment,
} from './actions.ts'
import { departmentOrders, departmentTable } from './queries.ts'
import { DepartmentPatch, departmentWire, NewDepartment } from './schema.ts'

const params = { id: 'dept' }
const memberParams = { id: 'dept', operator_id: 'op' }

async function requireDepartment({ db, env }: Ctx, id: string): Promise<void> {
  if (!(await departmentTable.find(db, env.tenantId, id))) throw new ApiError('not_found')
}

const MemberFilters = Shape({
  archived: Optional(
    Enum(['true', 'false'], {
      default: 'false',
      description: 'Set to `true` to include archived operators.',
    }),
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
      description:
        'A new department has no members: add them with `PUT /v1/departments/{id}/operators/{operator_id}`. With `manual` assignment, the default, its conversations wait until somebody claims or assigns them.',
      body: NewDepartment,
      example: {
        name: 'Billing',
        description: 'Invoices, refunds and cards.',
        email: 'billing@example.com',
        assignment: { strategy: 'round_robin', max_open_per_operator: 5 },
      },
      handle: createDepartment,
    },
    list: { description: 'Lists the departments with their rules for assigning conversations.' },
    read: {
      description:
        'Returns a department. Its members and present load have routes of their own, `operators` and `availability`.',
    },
    update: {
      description:
        'Assigned conversations keep their operators. An archived department cannot be chosen for conversations or as a fallback any more; conversations in it stay there.',
      body: DepartmentPatch,
      example: { assignment: { max_open_per_operator: 8 } },
      handle: (change, patch, id) => updateDepartment(change, id, patch),
    },
    remove: {
      description:
        'Removes the members of the department first. A department with more than 100 members, or one that conversations, categories, mailboxes or other departments refer to, cannot be deleted (409). Archive it instead.',
      handle: deleteDepartment,
    },
  }),
  list({
    path: '/departments/{id}/operators',
    name: 'listDepartmentOperators',
    summary: 'List department members',
    description: 'Lists the operators who belong to the department, whatever their status.',
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
    summary: 'Add an operator to a department',
    description:
      'The operator can then receive conversations of the department. Has no effect if the operator is already a member; fails with 409 if either is archived. `If-Match` takes the version of the department.',
    scope: 'departments:write',
    params: memberParams,
    errors: ['invalid_transition'],
    reply: departmentWire,
    handle: (change, { params }) => addOperator(change, params.id, params.operator_id!),
  }),
  remove({
    path: '/departments/{id}/operators/{operator_id}',
    name: 'removeDepartmentOperator',
    summary: 'Remove an operator from a department',
    description:
      'The operator keeps the conversations assigned so far. Returns 404 if the operator is not a member. `If-Match` takes the version of the department.',
    scope: 'departments:write',
    params: memberParams,
    handle: (change, { params }) => removeOperator(change, params.id, params.operator_id!),
  }),
]
