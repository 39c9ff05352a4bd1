import { declareIds, typeId, typeIdSuffixPattern } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Flag,
  Id,
  Int,
  type Members,
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { LoggedRequest } from './queries.ts'

const prefix = declareIds('request', 'req', false)

/** A stream may be open for weeks. */
const maxMs = 2_147_483_647
const sessionPattern = `^(cse|eus)_${typeIdSuffixPattern}$`

const sessionOf = ({ console_session_id, end_user_session_id }: LoggedRequest): string | null => {
  if (console_session_id !== null) return typeId('cse', console_session_id)
  return end_user_session_id === null ? null : typeId('eus', end_user_session_id)
}
const idOrNull = (of: string, uuid: string | null) => (uuid === null ? null : typeId(of, uuid))

export const loggedRequestWire = defineWire<LoggedRequest>({
  name: 'LoggedRequest',
  schema: Shape({
    id: Id(prefix, { description: 'The `Request-Id` of the response.' }),
    object: Enum(['request']),
    method: Text(1, 40, { description: 'The method.' }),
    route: Nullable(Text(1, 200), {
      description: 'The path of the operation in this document; null if no operation has the path.',
    }),
    path: Text(1, 300, {
      description:
        'The path without the query. Parameters that are not ids of Backline stand as in `route`. Of an unknown route it is what the client sent, truncated to 300 characters, with `{token}` in place of keys, tokens and JSON Web Tokens.',
    }),
    status: Int(100, 599, { description: 'The status of the response.' }),
    code: Nullable(Text(1, 60), { description: 'The `code` of the problem; null for other responses.' }),
    key_id: Nullable(Id('key'), { description: 'The API key that sent it; null for sessions.' }),
    session_id: Nullable(Type.String({ maxLength: 40, pattern: sessionPattern }), {
      description: 'The session of the console or of an end user that sent it; null for API keys.',
    }),
    operator_id: Nullable(Id('op'), {
      description: 'The operator of the session, or the one for whom the key acted; null without one.',
    }),
    idempotent_replayed: Nullable(Flag(), {
      description: 'The `Idempotent-Replayed` of the response; null without it.',
    }),
    original_request_id: Nullable(Id(prefix), {
      description: 'The request whose response was repeated; null unless this is a repetition.',
    }),
    duration_ms: Int(0, maxMs, {
      description: 'The time from its arrival to the end of its response, in milliseconds.',
    }),
    network: Nullable(Type.String({ maxLength: 64, pattern: '^[0-9a-f.:]+/(24|48)$' }), {
      description:
        'The network of the client: 24 bits of an IPv4 address, or 48 of an IPv6 address; null if the connection ended before it was known.',
    }),
    created_at: Timestamp({ description: 'The time of its arrival.' }),
  }),
  example: {
    id: 'req_01jd3v7wh2e7ktvq4n1m8r5z9b',
    object: 'request',
    method: 'POST',
    route: '/v1/conversations/{id}/resolve',
    path: '/v1/conversations/conv_01jd3v7wh2e7ktvq4n1m8r5z9d/resolve',
    status: 409,
    code: 'invalid_transition',
    key_id: 'key_01jd3v7wh2e7ktvq4n1m8r5z9a',
    session_id: null,
    operator_id: 'op_01jd3v7wh2e7ktvq4n1m8r5z9e',
    idempotent_replayed: null,
    original_request_id: null,
    duration_ms: 7,
    network: '203.0.113.0/24',
    created_at: '2026-11-20T09:30:00.000Z',
  },
  present: (row) => ({
    id: typeId(prefix, row.id),
    object: 'request',
    method: row.method,
    route: row.route,
    path: row.path,
    status: row.status,
    code: row.code,
    key_id: idOrNull('key', row.key_id),
    session_id: sessionOf(row),
    operator_id: idOrNull('op', row.operator_id),
    idempotent_replayed: row.is_replay,
    original_request_id: idOrNull(prefix, row.original_request_id),
    duration_ms: row.duration_ms,
    network: row.network,
    created_at: row.created_at,
  }),
})

const oneStatus = '([1-5]\\d\\d|[1-5]xx)'

export const RequestFilters = Shape({
  method: Optional(
    Type.String({
      maxLength: 40,
      pattern: '^[A-Z-]+$',
      examples: ['POST'],
      description: 'Return only requests with this method.',
    }),
  ),
  route: Optional(
    Type.String({
      maxLength: 200,
      pattern: '^/[!-~]*$',
      examples: ['/v1/conversations/{id}'],
      description: 'Return only requests of the operations with this path, as it is in this document.',
    }),
  ),
  status: Optional(
    Type.String({
      maxLength: 200,
      pattern: `^${oneStatus}(,${oneStatus})*$`,
      examples: ['4xx,500'],
      description:
        'Return only requests with one of these statuses, comma-separated; `4xx` is all from 400 to 499.',
    }),
  ),
  code: Optional(
    Type.String({
      maxLength: 60,
      pattern: '^[a-z_]+$',
      examples: ['validation_failed'],
      description: 'Return only requests that were refused with this `code`.',
    }),
  ),
  key_id: Optional(Id('key', { description: 'Return only requests of this API key.' })),
  session_id: Optional(
    Type.String({
      maxLength: 40,
      pattern: sessionPattern,
      examples: ['cse_01kah1vgm0e1tbm5ye8n2m9q7c'],
      description: 'Return only requests of this session, of the console or of an end user.',
    }),
  ),
  operator_id: Optional(Id('op', { description: 'Return only requests of this operator.' })),
  idempotent_replayed: Optional(
    Enum(['true', 'false'], {
      description:
        'With `true`, return only repetitions whose response was stored; with `false`, only first requests with an idempotency key.',
    }),
  ),
  slower_than_ms: Optional(
    Int(0, maxMs, { description: 'Return only requests that took longer than this number of milliseconds.' }),
  ),
  created_after: Optional(
    Timestamp({ description: 'Return only requests that arrived after this time, exclusive.' }),
  ),
  created_before: Optional(
    Timestamp({ description: 'Return only requests that arrived before this time, exclusive.' }),
  ),
})
export type RequestFilters = Members<typeof RequestFilters>
