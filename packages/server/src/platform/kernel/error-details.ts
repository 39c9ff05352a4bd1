/*
 * The `detail` of an error: one sentence about this occurrence. All values in it come from `params` or `errors`, so
 * that programs need not parse it.
 */

import { withArticle } from './names.ts'

type Params = Record<string, unknown>

const list = (values: unknown, conjunction: string): string => {
  const items = values as string[]
  return items.length < 2
    ? items.join()
    : `${items.slice(0, -1).join(', ')} ${conjunction} ${items[items.length - 1]}`
}

const seconds = (count: unknown): string => (count === 1 ? '1 second' : `${count} seconds`)

const credentials: Record<string, string> = {
  secret_key: 'a secret key',
  publishable_key: 'a publishable key',
  end_user_token: 'an end-user token',
}

const faultsOfIdentity: Record<string, string> = {
  malformed: 'The credential is mistyped or has another form.',
  unknown: 'The credential is unknown.',
  expired: 'The credential has expired.',
  revoked: 'The credential was revoked.',
  unknown_key: 'No identity key of the environment can verify the JWT.',
  signature: 'The signature of the JWT is wrong.',
  not_yet_valid: 'The JWT is not valid yet: see nbf and iat.',
  lifetime: 'The JWT needs an exp that is at most 24 hours ahead.',
  audience: 'The audience of the JWT is not that of the identity key.',
  issuer: 'The issuer of the JWT is not that of the identity key.',
  claims: 'A claim of the JWT is missing or has another form.',
}

const faultsOfConsole: Record<string, string> = {
  missing: 'The request has no cookie of the console.',
  malformed: 'The cookie or link is mistyped or has another form.',
  unknown: 'The cookie or link is unknown.',
  expired: 'The session or link has expired.',
  revoked: 'The session was revoked.',
  used: 'The link was used before.',
  no_operator: 'No operator of the workspace has this e-mail address.',
}

const faultsOfService: Record<string, string> = {
  database_unavailable: 'The database is unavailable.',
  file_store_unavailable: 'The file store is unavailable.',
  overloaded: 'The server is overloaded.',
  shutting_down: 'The server is shutting down.',
  unread_responses: 'Too many bytes of earlier responses have not been read yet.',
  too_many_streams: 'Too many streams are open.',
  migration_missing: 'A migration is not applied.',
  too_many_at_once: 'Too many requests of this kind are in progress.',
}

/** The things that limits count. */
const things: Record<string, string> = {
  requests: 'requests',
  unknown_credentials: 'requests with unknown credentials',
  sessions: 'attempts to start a session',
  end_user_writes: 'conversations and messages',
  console_sign_ins: 'attempts to sign in',
}
/** Whom limits count for. */
const holders: Record<string, string> = {
  api_key: 'with this API key',
  end_user: 'of this end user',
  console_session: 'in this session of the console',
  network: 'from this client address',
}

const insteadOfDeleting: Record<string, string> = {
  archive: '; archive it instead',
  block_or_merge: '; block it, or merge it into another one, instead',
}

/** A sentence by error code; null if its params are missing. */
const sentences: Record<string, (params: Params) => string | null> = {
  malformed_json: ({ position, max_levels, max_members, max_values }) => {
    if (max_levels !== undefined) return `The body is nested more than ${max_levels} levels deep.`
    if (max_members !== undefined) return `An object of the body has more than ${max_members} members.`
    if (max_values !== undefined) return `The body has more than ${max_values} members and items.`
    return position === undefined
      ? 'The body is not valid JSON.'
      : `The body is not valid JSON; parsing failed at position ${position}.`
  },
  console_session_invalid: ({ reason }) => faultsOfConsole[reason as string] ?? null,
  identity_invalid: ({ reason }) => faultsOfIdentity[reason as string] ?? null,
  scope_missing: ({ scope, credential, presented }) =>
    credential === undefined
      ? `This key lacks the scope ${scope}.`
      : `This route takes ${credentials[credential as string]}, not ${credentials[presented as string]}.`,
  origin_not_allowed: ({ origin }) => `This key cannot be used from ${origin}.`,
  address_not_allowed: ({ address }) => `This key cannot be used from ${address}.`,
  not_found: ({ type, prefix, environment, suggestion, is_id }) => {
    if (suggestion) return `There is nothing at this path; did you mean ${suggestion}?`
    if (environment === undefined) return 'There is nothing at this path.'
    const where = `in the ${environment} environment, to which this key belongs`
    if (type === undefined) return `There is no such object ${where}.`
    if (is_id === false)
      return `The path does not have the id of ${withArticle(type as string)}: these ids are ${prefix}_ and 26 characters.`
    return `There is no ${type} with this id ${where}. The ids of this type begin with ${prefix}_.`
  },
  route_not_found: ({ suggestion }) =>
    `There is no route with this path${suggestion ? `; did you mean ${suggestion}?` : '.'}`,
  method_not_allowed: ({ allowed }) => `This path supports only ${list(allowed, 'and')}.`,
  not_acceptable: ({ available }) => `The Accept header excludes ${list(available, 'and')}.`,
  already_exists: ({ id, field }) =>
    `${id ?? 'Another object'} already has ${String(field).endsWith('s') ? 'one of these' : 'this'} ${field}.`,
  resource_in_use: ({ hint }) =>
    `The object cannot be deleted, because other objects refer to it${insteadOfDeleting[hint as string] ?? ''}.`,
  invalid_transition: ({ from, action, allowed }) =>
    `The action ${action} is not possible while the status is ${from}; ${
      (allowed as string[]).length > 0 ? `${list(allowed, 'and')} are` : 'no action is'
    } possible.`,
  file_not_ready: ({ status }) => `The status of the file is ${status}.`,
  file_rejected: ({ reason }) => `The file was rejected: ${reason}.`,
  view_broken: ({ pointer }) => `The part ${pointer} of the view's filter is not valid any more.`,
  already_assigned: ({ assignee_id }) => `The conversation is assigned to ${assignee_id}.`,
  legal_hold: ({ end_user_id }) => `${end_user_id} is under a legal hold.`,
  job_running: ({ job_id }) => `${job_id} has not ended.`,
  precondition_failed: ({ etag, unquoted }) =>
    etag === null
      ? 'There is no such object, so that it has no version for If-Match.'
      : unquoted === true
        ? `ETags are quoted. The ETag of the object is now ${etag}: send it with its quotes in If-Match.`
        : `The ETag of the object is now ${etag}, which If-Match does not name. Read it again before changing it.`,
  payload_too_large: ({ limit_bytes }) => `The body is larger than ${limit_bytes} bytes.`,
  unsupported_media_type: ({ supported, encoding }) =>
    encoding === undefined
      ? `Send the body as ${list(supported, 'or')}.`
      : `Send the body unencoded: without Content-Encoding, as ${list(supported, 'or')}.`,
  idempotency_key_reused: ({ original_request_id }) =>
    `Request ${original_request_id} used this Idempotency-Key with another method, path, query or body. Use a new key.`,
  unavailable: ({ reason, retry_after_seconds }) =>
    `${faultsOfService[reason as string]} Try again in ${seconds(retry_after_seconds)}.`,
  rate_limited: ({ counted, per, setting, limit_per_second, limit, window_seconds, retry_after_seconds }) => {
    const rate =
      limit_per_second === undefined
        ? `${limit} ${things[counted as string]} in ${seconds(window_seconds)}`
        : `${limit_per_second} ${things[counted as string]} per second`
    const whose = holders[per as string]
    const known = setting === null ? '' : ` (${setting})`
    return `More than ${rate} ${whose}${known}; try again in ${seconds(retry_after_seconds)}.`
  },
}

type NamedFault = { detail: string; pointer?: string; parameter?: string; header?: string }

/** The detail of an error; null if its code has only a general explanation. */
export function detailOf(code: string, params: Params, errors: NamedFault[] = []): string | null {
  if (errors.length > 0) return sentenceOf(errors, params.has_more_errors === true)
  return sentences[code]?.(params) ?? null
}

/** The first invalid field and the number of the others. */
function sentenceOf([first, ...others]: NamedFault[], hasMore: boolean): string {
  const { pointer, parameter, header, detail } = first!
  const ofParameter = parameter && pointer ? `${parameter} at ${pointer}` : parameter
  const name = ofParameter ?? header ?? (pointer === '' ? 'The body' : memberOf(pointer!))
  const sentence = `${name} ${detail}`
  const more = moreThanOne(others.length, hasMore)
  if (sentence.endsWith('?')) return more === null ? sentence : `${sentence} And ${more}`
  return more === null ? `${sentence}.` : `${sentence}, and ${more}`
}

function moreThanOne(others: number, hasMore: boolean): string | null {
  if (others === 0) return hasMore ? 'more fields may need attention.' : null
  if (hasMore) return `at least ${others} more fields need attention.`
  return others === 1 ? '1 more field needs attention.' : `${others} more fields need attention.`
}

/** `/actions/0/body` becomes `actions[0].body`. */
const memberOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : `${path}.${segment}`))
