import { defaultDeniedExtensions } from '../../../platform/files/denied-types.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Flag,
  Id,
  Int,
  Language,
  List,
  type Members,
  Name,
  Nullable,
  PartialShape,
  revision,
  Shape,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { claimOrders } from '../../vocabulary/conversations.ts'
import type { Workspace } from './queries.ts'

const fields = {
  name: Name(100, { description: 'Unique in the installation. Shared by both environments.' }),
  auto_close_after_seconds: Int(1, 31_536_000, {
    description: 'Seconds after which a resolved conversation is closed automatically.',
    default: 604_800,
  }),
  event_retention_days: Int(30, 3650, {
    description: 'The number of days for which events are kept and can be listed, streamed and recovered.',
    default: 30,
  }),
  default_language: Nullable(Language({ examples: ['en'] }), {
    description:
      'The language of articles and FAQs that are created without one, and the last fallback of searches, as a BCP 47 tag; null means `en`.',
  }),
  end_users_may_resolve: Flag({
    description: 'Whether end users may resolve their own conversations.',
    default: false,
  }),
  claim_order: Enum(claimOrders, {
    description:
      'The order in which `claim_next` offers conversations if the request names no department: `waiting` those that have waited longest first, `due` those with the earliest due time of a clock, `priority` those with the highest priority.',
    default: 'waiting',
  }),
  reply_assigns: Flag({
    description:
      'Whether an unassigned conversation without a department is assigned to the operator who replies to it publicly, or begins it. For other conversations their department decides.',
    default: false,
  }),
}

const Extensions = () =>
  List(Type.String({ minLength: 1, maxLength: 20, pattern: '^[A-Za-z0-9_-]{1,20}$' }), 500, {
    description:
      'The extensions of files that are refused, without a dot, by name and by bytes. Executables and scripts by default, to which null returns.',
  })

export const workspaceExample = {
  id: 'ws_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'workspace',
  name: 'default',
  auto_close_after_seconds: 604800,
  event_retention_days: 30,
  default_language: 'en',
  end_users_may_resolve: false,
  claim_order: 'waiting',
  reply_assigns: false,
  file_types_denied: ['exe', 'bat', 'js'],
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const workspaceWire = defineWire<Workspace>({
  name: 'Workspace',
  schema: Shape({
    id: Id('ws'),
    object: Enum(['workspace']),
    ...fields,
    file_types_denied: Extensions(),
    ...revision,
  }),
  example: workspaceExample,
  present: (row) => ({
    ...row,
    id: typeId('ws', row.id),
    object: 'workspace',
    file_types_denied: row.file_types_denied ?? defaultDeniedExtensions,
  }),
})

export const WorkspacePatch = PartialShape({ ...fields, file_types_denied: Nullable(Extensions()) })
export type WorkspacePatch = Members<typeof WorkspacePatch>
