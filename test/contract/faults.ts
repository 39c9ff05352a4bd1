import type { ErrorCode } from '@backline/server/platform/kernel/errors.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { pathOf, vacantIds } from './fixtures.ts'
import type { Request } from './http.ts'

/*
 * The errors that a request can have, in the order in which the contract (1.3.2) requires their checks. Each entry
 * breaks one part of a request and leaves the rest unchanged, so that errors can be combined.
 */
export type Fault = {
  code: ErrorCode
  /** Returns null if the route cannot have this error. */
  spoil(request: Request, route: Route, keyWithoutScope: string): Request | null
}

const withHeaders = (request: Request, headers: Request['headers']): Request => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

/** Bodies of other requests are ignored. */
const takesBody = ({ kind }: Route) => kind === 'write' || kind === 'signal'
const takesJson = (route: Route) => takesBody(route) && !route.bytes

/** A server may close the connection before it has read a larger body; sockets buffer one of this size. */
const tooLarge = `{"nonsense": "${'x'.repeat(1024 * 1024)}"}`

const onBodies =
  (spoil: (request: Request, route: Route) => Request): Fault['spoil'] =>
  (request, route) =>
    takesBody(route) ? spoil(request, route) : null

const onJson =
  (spoil: (request: Request) => Request): Fault['spoil'] =>
  (request, route) =>
    takesJson(route) ? spoil(request) : null

const onWrites =
  (spoil: (request: Request, route: Route) => Request): Fault['spoil'] =>
  (request, route) =>
    route.kind === 'write' ? spoil(request, route) : null

export const faults: Fault[] = [
  { code: 'api_key_missing', spoil: (request) => ({ ...request, key: null }) },
  { code: 'scope_missing', spoil: (request, _, key) => ({ ...request, key }) },
  {
    code: 'not_acceptable',
    // Clients of contents take any type: the file's is known only after the check of its rights.
    spoil: (request, { kind }) => (kind === 'content' ? null : withHeaders(request, { accept: 'text/csv' })),
  },
  {
    code: 'idempotency_key_invalid',
    spoil: onWrites((request) => withHeaders(request, { 'idempotency-key': ['one', 'two'] })),
  },
  {
    code: 'idempotency_key_missing',
    spoil: (request, route) =>
      route.method === 'POST' ? withHeaders(request, { 'idempotency-key': null }) : null,
  },
  {
    code: 'unsupported_media_type',
    spoil: onBodies((request) => withHeaders(request, { 'content-type': 'text/plain' })),
  },
  { code: 'payload_too_large', spoil: onJson((request) => ({ ...request, body: tooLarge })) },
  { code: 'malformed_json', spoil: onJson((request) => ({ ...request, body: '{"nonsense": 1' })) },
  { code: 'invalid_query', spoil: (request) => ({ ...request, path: `${request.path}?nonsense=1` }) },
  {
    code: 'validation_failed',
    spoil: (request, route) =>
      takesJson(route)
        ? { ...request, body: { nonsense: 1 } }
        : withHeaders(request, { 'backline-operator': 'op_00000000000000000000000000' }),
  },
]

/** A request for objects that do not exist, otherwise valid; every error applies to it. */
export const vacantRequest = (route: Route, key: string): Request => ({
  method: route.method,
  path: pathOf(route, vacantIds(route)),
  key,
  ...(route.bytes
    ? { body: route.bytes.example, headers: { 'content-type': route.bytes.mediaType } }
    : takesBody(route)
      ? { body: {} }
      : {}),
})

/** Adds all of these errors to the request; of two that exclude each other, the earlier one stays. */
export function spoilt(
  request: Request,
  route: Route,
  some: readonly Fault[],
  keyWithoutScope: string,
): Request {
  return some.reduceRight(
    (spoiling, fault) => fault.spoil(spoiling, route, keyWithoutScope) ?? spoiling,
    request,
  )
}

/** The errors that a request to this route can have, in their order. */
export const faultsOf = (route: Route): Fault[] =>
  faults.filter((fault) => fault.spoil(vacantRequest(route, ''), route, '') !== null)
