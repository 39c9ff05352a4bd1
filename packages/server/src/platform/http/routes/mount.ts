import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalidBody } from '../../kernel/errors.ts'
import { typeOfPrefix, uuidOf } from '../../kernel/ids.ts'
import { nounOf } from '../../kernel/names.ts'
import { operatorRequired } from '../../resource/acting.ts'
import type { ReceivedBytes } from '../../resource/bytes.ts'
import type { ListRoute, Route } from '../../resource/resource.ts'
import { fixedNames, Shape, type TObject } from '../../resource/schema.ts'
import type { LiveRoute, StreamRoute } from '../../resource/streams.ts'
import { endRequest } from '../observability/trace.ts'
import { parseQuery, querySchema } from '../request/query.ts'
import { receiveBytes } from '../request/received-bytes.ts'
import { bodyValidator, queryValidator } from '../request/validation.ts'
import { admit, senderOf } from './admission.ts'
import {
  type Answer,
  answerList,
  answerLive,
  answerRead,
  answerSignal,
  answerStream,
  answerWrite,
} from './answers.ts'
import { answerContent } from './content.ts'
import type { MountDeps } from './mount-deps.ts'
import { contextOf } from './request-context.ts'

/** A body may arrive slowly, and the key may be revoked meanwhile. */
const admissionMs = 500

export function mountRoute(app: FastifyInstance, route: Route, deps: MountDeps): void {
  const { bytes } = route
  if (bytes)
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (request: FastifyRequest) =>
        receiveBytes(request, bytes, deps.arrivals),
      )
      mount(scope, route, deps)
    })
  else mount(app, route, deps)
}

function mount(app: FastifyInstance, route: Route, deps: MountDeps): void {
  const handle = handlerFor(route, deps)
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { route },
    // The request stops counting before its response is sent: a slow reader uses no capacity.
    handler(request, reply) {
      deps.workload
        .during(deps.access.clientOf(request.headers), () => handle(request, reply))
        .finally(() => (route.bytes ? (request.body as ReceivedBytes | undefined)?.discard() : undefined))
        .then((payload) => (reply.sent ? endRequest(request, 200) : send(payload)))
        .catch(send)

      function send(payload: unknown) {
        reply.send(payload)
        deps.recorder?.sent(request, reply, payload)
      }
    },
  })
}

function handlerFor(route: Route, deps: MountDeps) {
  const checkQuery = queryValidator(querySchema(route))
  const checkTexts = queryValidator(route.texts ?? Shape({}))
  const checkBody = bodyValidator(bodyOf(route))
  const answer: Answer =
    route.kind === 'list'
      ? answerList(route as ListRoute, deps)
      : route.kind === 'read'
        ? answerRead(route)
        : route.kind === 'stream'
          ? answerStream(route as StreamRoute, deps)
          : route.kind === 'live'
            ? answerLive(route as LiveRoute, deps)
            : route.kind === 'signal'
              ? answerSignal(route)
              : route.kind === 'content'
                ? answerContent(route, deps)
                : answerWrite(route, deps)

  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (reply.elapsedTime > admissionMs)
      request.principal = await admit(route, senderOf(request, deps.access), deps)
    const texts = textsOf(route, request)
    const params = { ...readParams(route, request), ...texts }
    const bytes = route.bytes && readBytes(request)
    const body = !bytes && (route.kind === 'write' || route.kind === 'signal') ? readBody(route, request) : {}
    const query = parseQuery(request.url)
    checkTexts(texts)
    checkQuery(query)
    const acting = await deps.access.actFor(request.principal!, route, request.headers)
    const [principal, actorFaults] = Array.isArray(acting) ? [request.principal!, acting] : [acting, []]
    request.principal = principal
    const ctx = contextOf(route, request, principal, bytes ? bytes.sha256 : body, deps)
    await checkBody(body, ctx, actorFaults)
    const input = { params: withPerson(route, params, principal.viewerId), query, body: bytes ?? body }
    try {
      return await answer(input, ctx, request, reply)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'not_found') throw notFound(route, request)
      throw route.refusal ? route.refusal(error) : error
    }
  }
}

/** @throws ApiError `validation_failed` for a request without a body */
function readBytes({ body }: FastifyRequest): ReceivedBytes {
  if (body !== undefined) return body as ReceivedBytes
  throw invalidBody({ pointer: '', code: 'too_short', detail: 'must not be empty' })
}

/** A PATCH says of the other fields of its object that they cannot be changed. */
function bodyOf({ method, body = Shape({}), reply }: Route): TObject {
  if (method !== 'PATCH' || reply === null) return body
  const ofObject = Object.keys((reply.schema as TObject).properties)
  return {
    ...body,
    [fixedNames]: ofObject.filter((name) => !Object.hasOwn(body.properties, name)),
  } as TObject
}

/** An id of an invalid form refers to nothing: 404. */
function readParams(route: Route, request: FastifyRequest): Record<string, string> {
  const given = request.params as Record<string, string>
  const params: Record<string, string> = {}
  for (const [name, prefix] of Object.entries(route.params ?? {})) {
    const uuid = isMe(route, name, given[name]) ? me : uuidOf(prefix, given[name]!)
    if (uuid === null) throw notFound(route, request, name, false)
    params[name] = uuid
  }
  return params
}

const me = 'me'
const isMe = ({ meParam }: Route, name: string | undefined, text: string | undefined) =>
  name !== undefined && name === meParam && text === me

/** @throws ApiError `validation_failed` if the request acts for nobody, and must not */
function withPerson(
  route: Route,
  params: Record<string, string>,
  personId: string | null,
): Record<string, string> {
  const { meParam, needsPerson } = route
  const isOwn = meParam !== undefined && isMe(route, meParam, params[meParam])
  if (personId === null && (isOwn || needsPerson)) throw invalidBody(operatorRequired)
  return isOwn ? { ...params, [meParam]: personId! } : params
}

function textsOf(route: Route, request: FastifyRequest): Record<string, string> {
  const given = request.params as Record<string, string>
  return Object.fromEntries(Object.keys(route.texts?.properties ?? {}).map((name) => [name, given[name]!]))
}

/**
 * The same response for an id that no object has, and for one of another environment.
 * @param isId false if the path has a text in place of the id
 * @param param the parameter whose object does not exist; by default the only one of the route, if there is one
 */
function notFound(route: Route, request: FastifyRequest, param?: string, isId = true): ApiError {
  const entries = Object.entries(route.params ?? {})
  const [, prefix] = entries.find(([name]) => (entries.length === 1 ? true : name === param)) ?? []
  const environment = request.principal!.environment.kind
  const type = prefix && nounOf(typeOfPrefix(prefix))
  return new ApiError(
    'not_found',
    prefix ? { type, prefix, environment, ...(isId ? {} : { is_id: false }) } : { environment },
  )
}

function readBody(route: Route, request: FastifyRequest): unknown {
  if (request.body !== undefined) return request.body
  const needed = route.body !== undefined && !route.bodyOptional && route.method !== 'DELETE'
  if (needed) throw new ApiError('malformed_json', {}, { detail: 'The body is empty.' })
  return {}
}
