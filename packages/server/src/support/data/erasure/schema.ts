import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Flag,
  Id,
  List,
  type Members,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { ErasureRow } from './queries.ts'
import { type Counts, erasureModes } from './state.ts'

const Sha256 = (description: string) =>
  Type.String({ minLength: 64, maxLength: 64, pattern: '^[0-9a-f]{64}$', description })

const head = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

export const erasureExample = {
  id: 'era_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'erasure',
  end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
  mode: 'anonymise',
  counts: { end_users: 1, conversations: 3, messages: 12, events: 31, idempotency_keys: 9, files: 2 },
  audit_head_before: head,
  audit_head_after: head,
  exports: [],
  completed_at: '2026-11-20T09:31:00.000Z',
  sha256: head,
  created_at: '2026-11-20T09:31:00.000Z',
  updated_at: '2026-11-20T09:31:00.000Z',
  version: 1,
}

export const erasureWire = defineWire<ErasureRow>({
  name: 'Erasure',
  schema: Shape({
    id: Id('era'),
    object: Enum(['erasure']),
    end_user_id: Id('eu', { description: 'The end user whose data was erased, and those merged into it.' }),
    mode: Enum([...erasureModes], {
      description: '`anonymise`: conversations stay without the person; `delete`: they were deleted, too.',
    }),
    counts: Type.Unsafe<Counts>({
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'The rows that were changed or deleted, by table.',
    }),
    audit_head_before: Nullable(Sha256('The head of the audit log before the erasure.'), {
      description: 'The head of the audit log when the erasure was asked for; null if nothing was sealed.',
    }),
    audit_head_after: Nullable(Sha256('The head of the audit log after the erasure.'), {
      description: 'The head of the audit log when the erasure was complete; null if nothing was sealed.',
    }),
    exports: List(Text(1, 64, { description: 'The id of a job.' }), 1_000, {
      description:
        'Whole exports that were made earlier, which contain the person until they end after 30 days.',
    }),
    completed_at: Timestamp({ description: 'The time at which all was erased.' }),
    sha256: Sha256(
      'The SHA-256 of this certificate as canonical JSON (RFC 8785) without this member, in hexadecimal digits.',
    ),
    ...revision,
  }),
  example: erasureExample,
  present: (row) => ({
    ...row,
    id: typeId('era', row.id),
    object: 'erasure',
    end_user_id: typeId('eu', row.end_user_id),
  }),
})

export const NewErasure = Shape({
  mode: Optional(
    Enum([...erasureModes], {
      default: 'anonymise',
      description:
        '`anonymise` keeps the conversations without the person; `delete` deletes the conversations of the person, too.',
    }),
  ),
  dry_run: Optional(
    Flag({
      default: false,
      description: 'With `true`, nothing is erased; the `result` of the job has the `counts` of rows.',
    }),
  ),
})
export type NewErasure = Members<typeof NewErasure>

export const ErasureFilters = Shape({
  end_user_id: Optional(Id('eu', { description: 'Return only the certificates of this end user.' })),
})
