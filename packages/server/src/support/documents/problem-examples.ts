import { bodyLimitBytes, mediaTypesFor } from '../../platform/http/request/body.ts'
import { problem } from '../../platform/http/response/problems.ts'
import { ApiError, type ErrorCode, invalidBody, unavailable } from '../../platform/kernel/errors.ts'

/*
 * An example of each error with `params`, built like the errors that the code throws. The OpenAPI document and
 * docs/errors.md show them. An error without an example has no `params`.
 */
const examples: ApiError[] = [
  new ApiError('malformed_json', { position: 17 }),
  new ApiError(
    'invalid_query',
    {},
    { errors: [{ parameter: 'limit', code: 'too_large', detail: 'must be at most 100' }] },
  ),
  new ApiError('identity_invalid', { reason: 'expired' }),
  new ApiError('console_session_invalid', { reason: 'expired' }),
  new ApiError('scope_missing', { scope: 'conversations:write' }),
  new ApiError('origin_not_allowed', { origin: 'https://shop.example.com' }),
  new ApiError('not_permitted', { setting: 'end_users_may_resolve' }),
  new ApiError('identity_conflict', { reason: 'merged' }),
  new ApiError('address_not_allowed', { address: '203.0.113.7' }),
  new ApiError('not_found', { type: 'conversation', prefix: 'conv', environment: 'test' }),
  new ApiError('route_not_found', { suggestion: '/v1/conversations' }),
  new ApiError('method_not_allowed', { allowed: ['GET', 'HEAD', 'POST'] }),
  new ApiError('not_acceptable', { available: ['application/json'] }),
  new ApiError('already_exists', { id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c', field: 'external_id' }),
  new ApiError('resource_in_use', { hint: 'archive' }),
  new ApiError('invalid_transition', { from: 'closed', action: 'resolve', allowed: [] }),
  new ApiError('already_assigned', { assignee_id: 'op_01kah1w9d3f8vbq2c7m4x5n6za' }),
  new ApiError('file_not_ready', { status: 'scanning' }),
  new ApiError('file_rejected', { reason: 'type' }),
  new ApiError('view_broken', { pointer: '/all/0/field' }),
  new ApiError('legal_hold', { end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c' }),
  new ApiError('job_running', { job_id: 'job_01kah1vgm0e1tbm5ye8n2m9q7c' }),
  new ApiError('precondition_failed', { etag: '"4"' }),
  new ApiError('payload_too_large', { limit_bytes: bodyLimitBytes }),
  new ApiError('unsupported_media_type', { supported: mediaTypesFor({ method: 'POST' }) }),
  invalidBody(
    {
      pointer: '/initiated_by_side',
      code: 'not_allowed',
      detail: 'must be one of end_user, operator, system',
    },
    {
      pointer: '/subjct',
      code: 'unknown_field',
      detail: 'is not a field of this request; did you mean subject?',
    },
  ),
  new ApiError('idempotency_key_reused', { original_request_id: 'req_01kah1vgm0e1tbm5ye8n2m9q7c' }),
  new ApiError('template_variable_missing', { variables: ['order_number'] }),
  new ApiError('rate_limited', {
    counted: 'requests',
    per: 'api_key',
    setting: 'BACKLINE_RATE_LIMIT_PER_SECOND',
    retry_after_seconds: 1,
    limit_per_second: 100,
    burst: 200,
  }),
  unavailable('overloaded'),
]

const byCode = new Map(examples.map((example) => [example.code, example]))

export const exampleOf = (code: ErrorCode): ApiError => byCode.get(code) ?? new ApiError(code)

/** The response of an example request with this error. */
export const problemExample = (error: ApiError, publicUrl: string) =>
  problem(error, publicUrl, '/v1/conversations', 'req_01kah1vgm0e1tbm5ye8n2m9q7c')
