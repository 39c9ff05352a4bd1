import { typeId } from '../../../platform/kernel/ids.ts'
import { FilterTree } from '../../../platform/lists/parameters.ts'
import {
  Enum,
  Flag,
  Id,
  Int,
  type Members,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Timestamp,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { faultsIn } from './filter.ts'
import type { RetentionPreview } from './finding.ts'
import { type RetentionPolicy, retentionActions, retentionStatuses } from './queries.ts'

const daySeconds = 86_400

const fields = {
  name: Name(100, { description: 'The name, unique regardless of case.' }),
  filter: FilterTree('The policy applies to the closed conversations that meet this filter.', (filter) =>
    faultsIn(filter),
  ),
  after_seconds: Int(daySeconds, 2_147_483_647, {
    description: 'The time since `closed_at` after which the policy applies, in seconds: at least a day.',
    examples: [365 * daySeconds],
  }),
  action: Enum([...retentionActions], {
    description:
      '`redact`: the messages of all sides, and their files; `delete_files`: the files of the messages; `delete`: the conversation as a whole.',
  }),
}
const Status = (notes = {}) =>
  Enum([...retentionStatuses], {
    description: '`enabled` policies run once a day; `paused` ones do nothing.',
    ...notes,
  })

export const retentionExample = {
  id: 'ret_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'retention_policy',
  name: 'Chats after a year',
  filter: { field: 'channel', op: 'is', value: 'chat' },
  after_seconds: 365 * daySeconds,
  action: 'redact',
  status: 'paused',
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const retentionWire = defineWire<RetentionPolicy>({
  name: 'RetentionPolicy',
  schema: Shape({
    id: Id('ret'),
    object: Enum(['retention_policy']),
    ...fields,
    status: Status(),
    ...revision,
  }),
  example: retentionExample,
  present: (row) => ({ ...row, id: typeId('ret', row.id), object: 'retention_policy' }),
})

export const NewRetentionPolicy = Shape({ ...fields, status: Optional(Status({ default: 'paused' })) })
export type NewRetentionPolicy = Members<typeof NewRetentionPolicy>

export const RetentionPolicyPatch = PartialShape({ ...fields, status: Status() })
export type RetentionPolicyPatch = Members<typeof RetentionPolicyPatch>

export const RetentionFilters = Shape({
  status: Optional(Enum([...retentionStatuses], { description: 'Return only policies with this status.' })),
})

export const retentionPreviewWire = defineWire<RetentionPreview>({
  name: 'RetentionPreview',
  schema: Shape({
    object: Enum(['retention_preview']),
    matched: Int(0, 2_147_483_647, {
      description: 'The number of conversations that the policy would apply to now.',
    }),
    more: Flag({ description: 'Whether there are more; counting ends after about 10,000.' }),
    oldest: Nullable(Timestamp(), {
      description: 'The earliest `closed_at` of the counted conversations; null if there are none.',
    }),
  }),
  example: {
    object: 'retention_preview',
    matched: 118,
    more: false,
    oldest: '2025-08-14T10:00:00.000Z',
  },
  present: (preview) => ({ ...preview, object: 'retention_preview' }),
})
