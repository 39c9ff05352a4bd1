import { typeId } from '../../../platform/kernel/ids.ts'
import { list, read, remove, upsert, write } from '../../../platform/resource/resource.ts'
import { Shape, TrimmedText } from '../../../platform/resource/schema.ts'
import { createEndUser, deleteEndUser, updateEndUser, upsertEndUser } from './actions.ts'
import { blockEndUser, unblockEndUser } from './block.ts'
import { endUserSorts, requestedEndUsers } from './finding/request.ts'
import { holdLegally, releaseLegally } from './legal-hold.ts'
import { mergeEndUser } from './merge.ts'
import { endUserOrders, endUserTable } from './queries.ts'
import {
  Block,
  EndUserFilters,
  EndUserMerge,
  EndUserPatch,
  EndUserUpsert,
  endUserExample,
  endUserMergeWire,
  endUserWire,
  LegalHold,
  NewEndUser,
} from './schema.ts'

const params = { id: 'eu' }
const path = '/end_users'
export const routes = [
  write({
    method: 'POST',
    path,
    name: 'createEndUser',
    summary: 'Create an end user',
    description:
      'End users are also created by the first conversation that names their `external_user_id`, so this is needed only to set more about them beforehand. A verified address that another end user has is an error (409) with the id of that end user.',
    scope: 'end_users:write',
    status: 201,
    errors: ['already_exists'],
    body: NewEndUser,
    bodyExample: { external_id: 'user_42', name: 'Grace Hopper', emails: [{ address: 'grace@example.com' }] },
    reply: endUserWire,
    location: (row) => `${path}/${typeId('eu', row.id)}`,
    handle: (change, { body }) => createEndUser(change, body),
  }),
  list({
    path,
    name: 'listEndUsers',
    summary: 'List end users',
    description:
      'Lists the end users that match all given filters. Merged and erased ones are listed only if `status` or a condition of `filter` is about the status.',
    scope: 'end_users:read',
    query: EndUserFilters,
    item: endUserWire,
    sorts: endUserSorts,
    sortNotes: {
      '-last_seen_at': 'last seen first, those never seen last',
      name: 'by name, regardless of case; those without one last',
    },
    sortKey: (row, sort) => endUserOrders[sort].key(row),
    prepare: (ctx, { query }) => requestedEndUsers(ctx, query),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getEndUser',
    summary: 'Get an end user',
    description:
      'Returns an end user. One that was merged still answers, with `status: merged` and the final `merged_into_id`.',
    scope: 'end_users:read',
    params,
    reply: endUserWire,
    handle: (ctx, { params }) => endUserTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'PATCH',
    path: `${path}/{id}`,
    name: 'updateEndUser',
    summary: 'Update an end user',
    description:
      'Lists are replaced as a whole; `metadata` is merged key by key. An `external_id` can be set once. A merged end user cannot be changed (409).',
    scope: 'end_users:write',
    params,
    errors: ['already_exists', 'identity_conflict'],
    body: EndUserPatch,
    bodyExample: { language: 'de' },
    reply: endUserWire,
    handle: (change, { params, body }) => updateEndUser(change, params.id, body),
  }),
  upsert({
    path: `${path}/external/{external_id}`,
    name: 'upsertEndUser',
    summary: 'Create or update an end user by external id',
    description:
      'Creates the end user with your id for it (201), or changes the fields that are given (200). If the id is the alias of a merged end user, the remaining one is changed.',
    scope: 'end_users:write',
    texts: Shape({
      external_id: TrimmedText(255, {
        description: "The end user's id in your system.",
        examples: ['user_42'],
      }),
    }),
    errors: ['already_exists', 'identity_conflict'],
    body: EndUserUpsert,
    bodyExample: { name: 'Grace Hopper', metadata: { plan: 'pro' } },
    reply: endUserWire,
    location: (row) => `${path}/${typeId('eu', row.id)}`,
    handle: (change, { params, body }) => upsertEndUser(change, params.external_id!, body),
  }),
  remove({
    path: `${path}/{id}`,
    name: 'deleteEndUser',
    summary: 'Delete an end user',
    description:
      'An end user with conversations, or into whom others were merged, cannot be deleted (409), nor one under a legal hold (409 `legal_hold`). The sessions of a deleted end user end.',
    scope: 'end_users:write',
    params,
    errors: ['resource_in_use', 'legal_hold'],
    handle: (change, { params }) => deleteEndUser(change, params.id),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/merge`,
    name: 'mergeEndUser',
    summary: 'Merge an end user into another',
    description:
      'Afterwards the conversations of both belong to the other end user, at once and whatever their number, and the sessions of both are the sessions of the other. Addresses, phone numbers and companies are united, empty fields filled; where both have a value, the other’s stays and is listed in `conflicts`. A verified end user cannot be merged into an unverified one (409).',
    scope: 'end_users:write',
    params,
    errors: ['identity_conflict'],
    body: EndUserMerge,
    bodyExample: { into_id: 'eu_01kah1x2pje4x8ywz5v3k0t6ab', keep_alias: true },
    reply: endUserMergeWire,
    versionOf: null,
    handle: (change, { params, body }) => mergeEndUser(change, params.id, body),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/block`,
    name: 'blockEndUser',
    summary: 'Block an end user',
    description:
      'While blocked, conversations and messages of the end user are refused (403), by any key or session; operators can still write to them. A block with `until` ends by itself. Blocking again replaces reason and end.',
    scope: 'end_users:write',
    params,
    errors: ['identity_conflict'],
    body: Block,
    bodyOptional: true,
    bodyExample: { reason: 'Spam' },
    reply: endUserWire,
    replyExample: {
      ...endUserExample,
      status: 'blocked',
      block: { reason: 'Spam', since: '2026-11-20T09:45:00.000Z', until: null },
      version: 2,
    },
    handle: (change, { params, body }) => blockEndUser(change, params.id, body),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/unblock`,
    name: 'unblockEndUser',
    summary: 'Unblock an end user',
    description: 'The end user can write again. Has no effect on one that is not blocked.',
    scope: 'end_users:write',
    params,
    errors: ['identity_conflict'],
    reply: endUserWire,
    handle: (change, { params }) => unblockEndUser(change, params.id),
  }),
  write({
    method: 'PUT',
    path: `${path}/{id}/legal_hold`,
    name: 'holdEndUserLegally',
    summary: 'Put an end user under a legal hold',
    description:
      'Until the hold is released, neither the end user nor its conversations can be deleted or erased (409 `legal_hold`), and retention policies leave them out. A further hold replaces the reason.',
    scope: 'erasure:write',
    params,
    errors: ['identity_conflict'],
    body: LegalHold,
    bodyExample: { reason: 'Case 2026-117' },
    reply: endUserWire,
    replyExample: {
      ...endUserExample,
      legal_hold: { reason: 'Case 2026-117', since: '2026-11-20T09:45:00.000Z' },
      version: 2,
    },
    handle: (change, { params, body }) => holdLegally(change, params.id, body),
  }),
  write({
    method: 'DELETE',
    path: `${path}/{id}/legal_hold`,
    name: 'releaseEndUserLegally',
    summary: 'Release an end user from a legal hold',
    description:
      'The end user and its conversations can then be deleted and erased again. Has no effect without a hold.',
    scope: 'erasure:write',
    params,
    errors: ['identity_conflict'],
    reply: endUserWire,
    handle: (change, { params }) => releaseLegally(change, params.id),
  }),
]
