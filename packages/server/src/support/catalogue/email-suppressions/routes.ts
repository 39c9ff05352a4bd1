import { typeId } from '../../../platform/kernel/ids.ts'
import { list, read, remove, write } from '../../../platform/resource/resource.ts'
import { canonicalAddress } from '../mailboxes/addresses.ts'
import { createSuppression, deleteSuppression } from './actions.ts'
import { ofAddress, suppressionOrders, suppressionTable } from './queries.ts'
import { NewSuppression, SuppressionFilters, suppressionExample, suppressionWire } from './schema.ts'

const path = '/email_suppressions'
const params = { id: 'sup' }

const conditionsOf = ({ address }: { address?: string }) =>
  address === undefined ? [] : [ofAddress(canonicalAddress(address))]

export const routes = [
  write({
    method: 'POST',
    path,
    name: 'createEmailSuppression',
    summary: 'Suppress an e-mail address',
    description:
      'The address gets no mail from any mailbox of the environment until `expires_at`, or until the suppression is deleted. 409 names the suppression that it has already.',
    scope: 'mailboxes:write',
    status: 201,
    errors: ['already_exists'],
    body: NewSuppression,
    bodyExample: { address: suppressionExample.address },
    reply: suppressionWire,
    location: ({ id }) => `${path}/${typeId('sup', id)}`,
    handle: (change, { body }) => createSuppression(change, body),
  }),
  list({
    path,
    name: 'listEmailSuppressions',
    summary: 'List e-mail suppressions',
    description: 'Lists the addresses that get no mail, each with the reason.',
    scope: 'mailboxes:read',
    query: SuppressionFilters,
    item: suppressionWire,
    sorts: ['-created_at', 'created_at'],
    sortKey: (row, sort) => suppressionOrders[sort].key(row),
    handle: ({ db, env }, { query, page }) =>
      suppressionTable.page(db, env.tenantId, conditionsOf(query), suppressionOrders[page.sort], page),
    count: ({ db, env }, { query }, atMost) =>
      suppressionTable.count(db, env.tenantId, conditionsOf(query), atMost),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getEmailSuppression',
    summary: 'Get an e-mail suppression',
    description: 'Returns a suppression by its id. One that has ended is deleted, with its event.',
    scope: 'mailboxes:read',
    params,
    reply: suppressionWire,
    handle: (ctx, { params }) => suppressionTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  remove({
    path: `${path}/{id}`,
    name: 'deleteEmailSuppression',
    summary: 'Delete an e-mail suppression',
    description: 'The address gets mail again. Mail that was not sent to it meanwhile is not sent later.',
    scope: 'mailboxes:write',
    params,
    handle: (change, { params }) => deleteSuppression(change, params.id),
  }),
]
