import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { list, read, remove, write } from '../../../platform/resource/resource.ts'
import { operatorTable } from '../../team/operators/queries.ts'
import { inviteOperator, revokeInvitation } from './actions.ts'
import { statusOf } from './lifecycle.ts'
import { type Invitation, invitationOrders, invitationTable, ofOperator } from './queries.ts'
import { invitationWire, invitationWithUrlWire, NewInvitation } from './schema.ts'

const path = '/invitations'
const params = { id: 'inv' }
const scope = 'operators:write'

export const routes = [
  write({
    method: 'POST',
    path: '/operators/{id}/invite',
    name: 'inviteOperator',
    summary: 'Invite an operator',
    description:
      'Makes a link that signs in to the console as the operator, once, and revokes the pending invitation of the operator. The response and its replay to the same credential alone have the link: send it to the operator. With a live key it opens the test environment as well, and makes an operator there when it is used, if none has the e-mail address. An operator with the role `lead` or `admin` can only be invited with all scopes of that role.',
    scope,
    params: { id: 'op' },
    errors: ['invalid_transition'],
    status: 201,
    body: NewInvitation,
    bodyOptional: true,
    bodyExample: { expires_in_seconds: 86_400 },
    reply: invitationWithUrlWire,
    storedReply: invitationWire,
    location: ({ id }) => `${path}/${typeId('inv', id)}`,
    handle: (change, { params, body }) => inviteOperator(change, params.id, body),
  }),
  list({
    path: '/operators/{id}/invitations',
    name: 'listInvitations',
    summary: 'List the invitations of an operator',
    description: 'Lists all invitations of the operator, without their links.',
    scope,
    params: { id: 'op' },
    item: invitationWire,
    sorts: ['-created_at'],
    sortKey: (row, sort) => invitationOrders[sort].key(row),
    handle: async ({ db, env }, { params, page }) => {
      if (!(await operatorTable.find(db, env.tenantId, params.id))) throw new ApiError('not_found')
      return invitationTable.list(
        db,
        env.tenantId,
        [ofOperator(params.id)],
        invitationOrders[page.sort],
        page,
      )
    },
    count: ({ db, env }, { params }, atMost) =>
      invitationTable.count(db, env.tenantId, [ofOperator(params.id)], atMost),
  }),
  read<Invitation & { hasExpired: boolean }>({
    path: `${path}/{id}`,
    name: 'getInvitation',
    summary: 'Get an invitation',
    description: 'Returns an invitation without its link, also one of a deleted operator.',
    scope,
    params,
    reply: invitationWire,
    versionOf: ({ hasExpired, version }) => (hasExpired ? null : version), // it expires without a new version
    handle: async ({ db, env, now }, { params }) => {
      const found = await invitationTable.find(db, env.tenantId, params.id)
      return found && { ...found, hasExpired: statusOf(found, now()) === 'expired' }
    },
  }),
  remove({
    path: `${path}/{id}`,
    name: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description:
      'Its link is refused from now on. The invitation can still be read and has `revoked_at`. One that is not pending stays as it is.',
    scope,
    params,
    handle: (change, { params }) => revokeInvitation(change, params.id),
  }),
]
