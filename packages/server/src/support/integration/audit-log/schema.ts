import type { Changes, SealedFacts } from '../../../platform/journal/audit-chain.ts'
import {
  anyTypeIdPattern,
  declareIds,
  prefixOf,
  resourceTypeOf,
  typeId,
  typeIdSuffixPattern,
} from '../../../platform/kernel/ids.ts'
import {
  Actor,
  Enum,
  Id,
  Int,
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { changesOf } from '../../vocabulary/changes.ts'
import type { AuditRow } from './queries.ts'

/** An entry has the UUID of its event. */
const prefix = declareIds('audit_entry', 'aud', false)
export const entryId = (eventId: string): string => typeId(prefix, eventId)

/** The facts of an entry without its changes. */
export const factsOf = (row: Omit<AuditRow, 'is_redacted'>): SealedFacts => ({
  id: entryId(row.id),
  action: row.type,
  actor: { type: row.actor_type, id: row.actor_id, operator_id: row.operator_id },
  target: {
    type: resourceTypeOf(row.resource_type),
    id: typeId(prefixOf(row.resource_type), row.resource_id),
  },
  request_id: row.request_id,
  ip: row.ip,
  user_agent: row.user_agent,
  created_at: row.created_at,
})

const either = (description: string) => Type.Unsafe<unknown>({ description })

const example = {
  id: 'aud_01jd3v7wh2e7ktvq4n1m8r5z9c',
  object: 'audit_entry',
  action: 'conversation.resolved',
  actor: {
    type: 'api_key',
    id: 'key_01jd3v7wh2e7ktvq4n1m8r5z9a',
    operator_id: 'op_01jd3v7wh2e7ktvq4n1m8r5z9e',
  },
  target: { type: 'conversation', id: 'conv_01jd3v7wh2e7ktvq4n1m8r5z9d' },
  changes: { status: { from: 'open', to: 'resolved' } },
  request_id: 'req_01jd3v7wh2e7ktvq4n1m8r5z9b',
  ip: '203.0.113.7',
  user_agent: 'acme-desk/2.4',
  created_at: '2026-11-20T09:30:00.000Z',
}

export const auditEntryWire = defineWire<AuditRow>({
  name: 'AuditEntry',
  schema: Shape({
    id: Id(prefix),
    object: Enum(['audit_entry']),
    action: Text(3, 100, { description: 'The event type of the change.' }),
    actor: Actor({ description: 'Who made the change.' }),
    target: Shape(
      {
        type: Text(1, 50, { description: 'Its type, the `object` of the resource.' }),
        id: Text(1, 64, { description: 'Its id.' }),
      },
      { description: 'The resource that changed.' },
    ),
    changes: Type.Unsafe<Changes>({
      type: 'object',
      additionalProperties: Shape({
        from: either('The value before the change.'),
        to: either('The value after the change.'),
      }),
      description:
        'The changed fields, by field name. If the resource was created, `from` is null, and if it was deleted, `to`; null values are left out, and of conversations, messages, end users and files all texts of people. Empty for resources that were created or deleted before the server recorded these.',
    }),
    request_id: Nullable(Text(1, 64), { description: 'The `Request-Id` of the response.' }),
    ip: Nullable(Text(1, 64), {
      description: 'The address of the client; null for work of the server itself.',
    }),
    user_agent: Nullable(Text(0, 255), {
      description: 'The `User-Agent` of the request, truncated to 255 characters.',
    }),
    created_at: Timestamp({ description: 'The time of the change.' }),
  }),
  example,
  present: (row) => ({ ...factsOf(row), object: 'audit_entry', changes: changesOf(row) }),
})

/** Made once all types of resources are declared. */
export const auditFilters = () =>
  Shape({
    actor_id: Optional(
      Type.String({
        maxLength: 40,
        pattern: `^(key|op|eu)_${typeIdSuffixPattern}$`,
        examples: ['key_01kah1vgm0e1tbm5ye8n2m9q7c'],
        description: 'Return only entries of this API key, operator or end user.',
      }),
    ),
    action: Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^[a-z_.*]+(,[a-z_.*]+)*$',
        examples: ['api_key.*,workspace.updated'],
        description:
          'Return only entries of these event types, comma-separated. `api_key.*` matches all types of a resource, `*` matches all types.',
      }),
    ),
    target_id: Optional(
      Type.String({
        maxLength: 40,
        pattern: anyTypeIdPattern(),
        examples: ['conv_01kah1vgm0e1tbm5ye8n2m9q7c'],
        description: 'Return only entries about the resource with this id.',
      }),
    ),
    created_after: Optional(
      Timestamp({ description: 'Return only entries created after this time, exclusive.' }),
    ),
    created_before: Optional(
      Timestamp({ description: 'Return only entries created before this time, exclusive.' }),
    ),
  })

const Head = (description: string) =>
  Nullable(Type.String({ maxLength: 64, pattern: '^[0-9a-f]{64}$' }), { description })
const head = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** The last seal of the log; null values while nothing is sealed. */
export type Head = { head: string | null; entry_id: string | null; sealed_at: string | null }

export const headWire = defineWire<Head>({
  name: 'AuditHead',
  schema: Shape({
    object: Enum(['audit_head']),
    head: Head('The last hash of the chain, in hexadecimal; null if no entry is sealed yet.'),
    entry_id: Nullable(Id(prefix), { description: 'The last sealed entry.' }),
    sealed_at: Nullable(Timestamp(), { description: 'The time at which that entry was sealed.' }),
  }),
  example: { object: 'audit_head', head, entry_id: example.id, sealed_at: '2026-11-20T09:30:01.000Z' },
  present: (row) => ({ ...row, object: 'audit_head' }),
})

export const faultKinds = ['altered', 'removed', 'inserted'] as const
export type Fault = { entry_id: string | null; kind: (typeof faultKinds)[number] }

/** The result of a verification. */
export type Verification = {
  valid: boolean
  complete: boolean
  entries_checked: number
  sealed_through: string | null
  unsealed: number
  head: string | null
  first_fault: Fault | null
}

export const verificationWire = defineWire<Verification>({
  name: 'AuditVerification',
  schema: Shape({
    object: Enum(['audit_verification']),
    valid: Type.Boolean({
      description:
        'Whether all entries are as they were sealed, and none is missing or added. With `after`, only later entries count. Never true unless `complete` is.',
    }),
    complete: Type.Boolean({
      description:
        'False if the time of the request ended before the log did, and no fault was found until then. Send the same request with `after` set to `head` to continue.',
    }),
    entries_checked: Int(0, Number.MAX_SAFE_INTEGER, {
      description: 'The number of entries that match their seals, up to the first fault.',
    }),
    sealed_through: Nullable(Id(prefix), { description: 'The last sealed entry.' }),
    unsealed: Int(0, Number.MAX_SAFE_INTEGER, {
      description: 'The number of entries after the last sealed one; they will be sealed shortly.',
    }),
    head: Head(
      'The last hash of the chain, in hexadecimal; the one up to which it was verified if `complete` is false; null if no entry is sealed yet.',
    ),
    first_fault: Type.Unsafe<Fault | null>({
      type: ['object', 'null'],
      properties: {
        entry_id: Nullable(Id(prefix), {
          description:
            'The entry at the fault. For a removed entry, the next existing one; null if there is none.',
        }),
        kind: Enum(faultKinds, { description: 'What happened to the entry.' }),
      },
      required: ['entry_id', 'kind'],
      additionalProperties: false,
      description: 'The first difference from the sealed log, in log order; null if there is none.',
    }),
  }),
  example: {
    object: 'audit_verification',
    valid: true,
    complete: true,
    entries_checked: 1204,
    sealed_through: example.id,
    unsealed: 2,
    head,
    first_fault: null,
  },
  present: (row) => ({ ...row, object: 'audit_verification' }),
})

const LinkParameter = (description: string) =>
  Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$', maxLength: 64, examples: [head], description }))

export const VerificationQuery = Shape({
  since: LinkParameter(
    'A head from `GET /v1/audit_log/head` that was stored elsewhere. The log is valid only if its chain contains this head; otherwise the chain was rewritten in the database.',
  ),
  after: LinkParameter('A head up to which the log has been verified. Only entries after it are verified.'),
})
