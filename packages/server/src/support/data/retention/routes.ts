import { crud } from '../../../platform/resource/crud.ts'
import { write } from '../../../platform/resource/resource.ts'
import {
  createRetentionPolicy,
  deleteRetentionPolicy,
  previewRetentionPolicy,
  updateRetentionPolicy,
} from './actions.ts'
import { retentionOrders, retentionTable, withStatus } from './queries.ts'
import {
  NewRetentionPolicy,
  RetentionFilters,
  RetentionPolicyPatch,
  retentionExample,
  retentionPreviewWire,
  retentionWire,
} from './schema.ts'

const { name, filter, after_seconds, action } = retentionExample

export const routes = [
  ...crud({
    path: '/retention_policies',
    family: 'erasure',
    prefix: 'ret',
    noun: 'retention policy',
    plural: 'retention policies',
    wire: retentionWire,
    table: retentionTable,
    orders: retentionOrders,
    filters: RetentionFilters,
    conditions: ({ status }) => (status === undefined ? [] : [withStatus(status)]),
    create: {
      description:
        'Creates a policy that redacts or deletes conversations some time after they were closed. It is paused unless `status` says otherwise: look at its preview first. An enabled policy runs once a day, for the first time a day later, and leaves out conversations of end users under a legal hold.',
      body: NewRetentionPolicy,
      example: { name, filter, after_seconds, action: action as 'redact' },
      errors: ['already_exists'],
      handle: createRetentionPolicy,
    },
    list: { description: 'Lists the retention policies of the environment.' },
    read: { description: 'Returns a retention policy by its id.' },
    update: {
      description: 'Changes the given fields. What the policy has already redacted or deleted stays so.',
      body: RetentionPolicyPatch,
      example: { status: 'enabled' },
      replyExample: { ...retentionExample, status: 'enabled', version: 2 },
      errors: ['already_exists'],
      handle: (change, patch, id) => updateRetentionPolicy(change, id, patch),
    },
    remove: {
      description: 'Deletes the policy. What it has already redacted or deleted stays so.',
      handle: deleteRetentionPolicy,
    },
  }),
  write({
    method: 'POST',
    path: '/retention_policies/{id}/preview',
    name: 'previewRetentionPolicy',
    summary: 'Preview a retention policy',
    description:
      'Counts the conversations that the policy would apply to now, whatever its status, without those under a legal hold and those for which it has nothing left to do. Changes nothing. 409 `view_broken` if the filter names something that no longer exists.',
    scope: 'erasure:read',
    params: { id: 'ret' },
    errors: ['view_broken'],
    reply: retentionPreviewWire,
    versionOf: null,
    handle: (change, { params }) => previewRetentionPolicy(change, params.id),
  }),
]
