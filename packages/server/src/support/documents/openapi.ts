import { mediaTypesFor } from '../../platform/http/request/body.ts'
import { maxLimit, maxTotal } from '../../platform/http/request/pagination.ts'
import { querySchema } from '../../platform/http/request/query.ts'
import { typeOfPrefix } from '../../platform/kernel/ids.ts'
import { nounOf } from '../../platform/kernel/names.ts'
import type { Resource, Route } from '../../platform/resource/resource.ts'
import { Flag, Id, IdOrMe, Int, Optional, Shape } from '../../platform/resource/schema.ts'
import {
  AsOfSchema,
  exampleAsOf,
  exampleCursor,
  feedMembers,
  listMembers,
} from '../../platform/resource/wire.ts'
import {
  type HeaderName,
  headers,
  headersOf,
  type Json,
  parameters,
  problemSchema,
  ref,
} from './openapi/components.ts'
import { introduction } from './openapi/introduction.ts'
import { inReadersOrder } from './openapi/order.ts'
import { changesOne, refusalsOf, refusalsOfHttp } from './openapi/refusals.ts'
import { type Components, schemaComponents } from './openapi/schemas.ts'
import { servicePaths, serviceTag } from './openapi/service.ts'
import { webhookSection } from './openapi/webhooks.ts'

/** The OpenAPI 3.1 document, generated from the declarations that serve the requests. */
export function openapiDocument(resources: Resource[], publicUrl: string, prefix = '/v1'): Json {
  const isFirst = prefix === '/v1' // webhooks have the form of /v1
  const document = documentOfV1(resources, publicUrl, isFirst)
  return isFirst ? document : inVersion(document, prefix)
}

/** Descriptions and examples name paths of `/v1`. */
function inVersion(document: Json, prefix: string): Json {
  const { info, ...rest } = JSON.parse(JSON.stringify(document).replaceAll('/v1/', `${prefix}/`))
  return { ...rest, info: { ...info, version: `${prefix.slice('/v'.length)}.0.0` } }
}

function documentOfV1(resources: Resource[], publicUrl: string, hasWebhooks: boolean): Json {
  const replies = resources.flatMap(({ routes }) => routes.flatMap(({ reply }) => reply ?? []))
  const components: Components = { schemas: schemaComponents(replies), responses: refusalsOfHttp(publicUrl) }
  components.schemas.ofReply({ name: 'Problem', schema: problemSchema })
  const eventTypes = resources.flatMap(({ events }) => events)
  const webhooks = hasWebhooks ? webhookSection(eventTypes, replies) : null
  const paths: Record<string, Json> = {}
  const described = inReadingOrder(resources.filter((resource) => resource.routes.length > 0))
  for (const resource of described) {
    for (const route of inReadersOrder(resource.routes)) {
      const path = `/v1${route.path}`
      paths[path] ??= {}
      paths[path][route.method.toLowerCase()] = operation(route, resource, components, publicUrl)
    }
  }
  Object.assign(paths, servicePaths(components, publicUrl))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Backline API',
      version: '1.0.0',
      summary: 'A customer-support backend.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Backline', url: publicUrl },
    },
    servers: [
      {
        url: publicUrl,
        description: 'This installation: local, staging or production.',
        'x-internal': false,
      },
    ],
    tags: [...described, serviceTag].map(({ name, title, description }) => ({
      name,
      'x-displayName': title,
      description,
    })),
    'x-tagGroups': groupsOf(described),
    security: [{ apiKey: [] }],
    paths,
    ...(webhooks ? { webhooks: webhooks.webhooks } : {}),
    components: {
      schemas: { ...components.schemas.all(), ...webhooks?.schemas },
      responses: { ...sorted(components.responses), ...webhooks?.responses },
      parameters: { ...parameters, ...webhooks?.parameters },
      headers,
      securitySchemes,
    },
  }
}

/** Orders resources by group and place. Those without a place come last in their group, by name. */
export function inReadingOrder(resources: readonly Resource[]): Resource[] {
  const placeOf = ({ group }: Resource) => group?.place ?? Number.MAX_SAFE_INTEGER
  const byGroup = Map.groupBy(resources, titleOf)
  const placeOfGroup = (resource: Resource) => Math.min(...byGroup.get(titleOf(resource))!.map(placeOf))
  return resources.toSorted(
    (one, other) => placeOfGroup(one) - placeOfGroup(other) || placeOf(one) - placeOf(other),
  )
}

const titleOf = ({ group }: Resource) => group?.title ?? 'More'

/** The service's own routes are in the last group. @param resources in reading order */
function groupsOf(resources: Resource[]): Json[] {
  const groups = [...Map.groupBy(resources, titleOf)].map(([name, members]) => ({
    name,
    tags: members.map((member) => member.name),
  }))
  groups.at(-1)?.tags.push(serviceTag.name)
  return groups
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A secret API key: `bkl_live_…` or `bkl_test_…`. Each operation states the scope it requires.',
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A publishable API key: `bkl_pub_live_…` or `bkl_pub_test_…`. It can be part of a web page or an app, and only starts sessions of end users.',
  },
  endUserToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of an end user: `bkl_eut_live_…` or `bkl_eut_test_…`, which a session shows once. It opens what that end user may see.',
  },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The value of `BACKLINE_METRICS_TOKEN`.' },
}

const sorted = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))

const schemeOf: Record<string, keyof typeof securitySchemes> = {
  secret_key: 'apiKey',
  publishable_key: 'publishableKey',
  end_user_token: 'endUserToken',
}

const takenBy = (route: Route): string =>
  route.scope ? `Scope: \`${route.scope}\`.` : `Takes ${nouns[route.credential!]}.`
const nouns: Record<string, string> = {
  publishable_key: 'a publishable key',
  end_user_token: 'an end-user token',
  none: 'no credential',
}

/** An empty requirement is that of a route without a credential. */
function securityOf(route: Route): Json[] {
  const { credential = 'secret_key' } = route
  return credential === 'none' ? [] : [{ [schemeOf[credential]!]: [] }]
}

const operation = (route: Route, resource: Resource, components: Components, publicUrl: string): Json => ({
  operationId: route.name,
  summary: route.summary,
  description: `${route.description} ${takenBy(route)}`,
  tags: [resource.name],
  ...(route.scope ? { 'x-scope': route.scope } : {}),
  security: securityOf(route),
  parameters: parametersOf(route),
  ...requestBodyOf(route, components),
  responses: {
    ...successOf(route, components),
    ...refusalsOf(route, components.responses, publicUrl),
  },
})

function parametersOf(route: Route): Json[] {
  const fromPath = Object.entries(route.params ?? {}).map(([name, prefix]) => ({
    name,
    in: 'path',
    required: true,
    description: `The id of the ${nounOf(typeOfPrefix(prefix))}${name === route.meParam ? ', or `me` for the one in `Backline-Operator`' : ''}.`,
    schema: name === route.meParam ? IdOrMe(prefix) : Id(prefix),
    example: `${prefix}_01kah1vgm0e1tbm5ye8n2m9q7c`,
  }))
  const fromTexts = Object.entries(route.texts?.properties ?? {}).map(([name, schema]) => {
    const { description, examples, ...rest } = schema as Json
    return { name, in: 'path', required: true, description, schema: rest, example: (examples as Json[])[0] }
  })
  const fromQuery = Object.entries(querySchema(route).properties).map(([name, schema]) => {
    const { description, ...rest } = schema as unknown as Json
    return { name, in: 'query', description, schema: rest }
  })
  const fromHeaders: (keyof typeof parameters)[] = []
  if (route.kind === 'write') {
    fromHeaders.push(route.method === 'POST' ? 'IdempotencyKey' : 'OptionalIdempotencyKey')
    if (changesOne(route)) fromHeaders.push('IfMatch')
  }
  if (isConditional(route)) fromHeaders.push('IfNoneMatch')
  if (route.kind === 'content') fromHeaders.push('Range', 'IfRange', 'IfNoneMatch')
  if (route.cursorsOf) fromHeaders.push('LastEventId')
  if (route.scope) fromHeaders.push('BacklineOperator')
  fromHeaders.push('Traceparent')
  return [...fromPath, ...fromTexts, ...fromQuery, ...fromHeaders.map((name) => ref('parameters', name))]
}

/** True for a route that answers `If-None-Match`. */
const isConditional = ({ kind, versionOf, tagsContent, dated }: Route): boolean =>
  kind === 'read' ? versionOf !== null || tagsContent === true : dated === true

function requestBodyOf(route: Route, components: Components): Json {
  if (route.bytes) {
    const { mediaType, maxBytes, example } = route.bytes
    const schema = { type: 'string', format: 'binary', maxLength: maxBytes, contentMediaType: mediaType }
    return { requestBody: { required: true, content: { [mediaType]: { schema, example } } } }
  }
  if (!route.body) return {}
  const name = `${route.name[0]!.toUpperCase()}${route.name.slice(1)}Body`
  const content = {
    schema: components.schemas.ofBody(name, route.body, route.method),
    example: route.bodyExample,
  }
  return {
    requestBody: {
      required: !route.bodyOptional,
      content: Object.fromEntries(mediaTypesFor(route).map((type) => [type, content])),
    },
  }
}

/** Names what the response of a success contains; without content, what was done. */
function outcomeOf({ kind, method, status, name, reply }: Route): string {
  if (!reply) return pastOf(/^[a-z]+/.exec(name)![0])
  const object = `\`${reply.name}\``
  if (kind === 'list') return `A page of ${object} objects.`
  if (kind === 'stream' || kind === 'live') return `A stream of ${object} objects.`
  if (kind === 'read') return `The ${object}.`
  if (status === 201) return `The created ${object}.`
  if (status === 202) return `Accepted: the ${object}. The work continues in the background.`
  return method === 'POST' ? `The resulting ${object}.` : `The updated ${object}.`
}

/** `delete` becomes `Deleted.`; all verbs of routes without content end in `e`. */
const pastOf = (verb: string): string => `${verb[0]!.toUpperCase()}${verb.slice(1)}d.`

function successOf(route: Route, components: Components): Json {
  const carried = headersOf(
    'Request-Id',
    'traceparent',
    'RateLimit',
    'RateLimit-Policy',
    'Deprecation',
    'Sunset',
    'Link',
    ...(route.kind === 'write' ? (['Idempotent-Replayed', 'Original-Request-Id'] as const) : []),
    ...(route.versionOf || route.tagsContent || route.dated ? (['ETag'] as const) : []),
    ...(route.location ? (['Location'] as const) : []),
  )
  const description = outcomeOf(route)
  if (route.kind === 'content') return successOfContent(carried)
  if (!route.reply) return { [route.status]: { description, ...carried } }
  const schema = components.schemas.ofReply(route.reply)
  const content =
    route.kind === 'list'
      ? pageOf(route, components)
      : route.kind === 'stream' || route.kind === 'live'
        ? streamOf(route)
        : { schema, example: route.replyExample ?? route.reply.example }
  const success: Json = {
    [route.status]: {
      description,
      ...carried,
      content: { [route.mediaType ?? 'application/json']: content },
    },
  }
  if (route.createsOrChanges) {
    const { Location: _, ...headers } = carried.headers as Json
    const known = route.method === 'PUT' ? 'The updated' : 'Nothing new: the'
    success[200] = {
      ...(success[route.status] as Json),
      description: `${known} \`${route.reply.name}\`.`,
      headers,
    }
  }
  if (isConditional(route)) {
    success[304] = { description: 'The response would be the one in `If-None-Match`.', ...carried }
  }
  return success
}

const bytes: Json = {
  example: 'The bytes of the file.',
  schema: { type: 'string', format: 'binary', maxLength: 2147483647, pattern: '^[\\s\\S]*$' },
}

function successOfContent(carried: Json): Json {
  const withHeaders = (...names: HeaderName[]) => ({
    ...carried,
    headers: { ...(carried.headers as Json), ...(headersOf(...names).headers as Json) },
  })
  const shown = ['ETag', 'Accept-Ranges', 'Content-Disposition'] as const
  const content = { '*/*': bytes }
  return {
    200: { description: 'The bytes, in the media type of the file.', ...withHeaders(...shown), content },
    206: {
      description: 'The bytes of the range in `Range`.',
      ...withHeaders(...shown, 'Content-Range'),
      content,
    },
    302: { description: 'The bytes are at `Location` for five minutes.', ...withHeaders('Location') },
    304: { description: 'The bytes are those in `If-None-Match`.', ...withHeaders('ETag') },
  }
}

const streamOf = (route: Route): Json => ({
  schema: {
    type: 'string',
    maxLength: 2147483647, // a stream has no end; the linter requires a maximum
    pattern: '^[\\s\\S]*$',
    description: `A sequence of \`${route.reply!.name}\` objects.`,
  },
  example: route.replyExample,
})

function pageOf({ reply, endless: isFeed = false, dated }: Route, components: Components): Json {
  const item = reply!
  const schema = Shape({
    ...listMembers(item.schema, maxLimit),
    ...(isFeed ? feedMembers() : {}),
    ...(dated ? { as_of: AsOfSchema() } : {}),
    total: Optional(
      Int(0, maxTotal, { description: 'The total number of items. Present with `include=total`.' }),
    ),
    total_is_capped: Optional(
      Flag({ description: 'Whether there are more items than `total`. Present with `include=total`.' }),
    ),
  })
  return {
    schema: components.schemas.ofReply({ name: `${item.name}${isFeed ? 'Feed' : 'List'}`, schema }),
    example: {
      ...{ object: 'list', data: [item.example], has_more: false, next_cursor: null },
      ...(isFeed ? { resume_cursor: exampleCursor } : {}),
      ...(dated ? { as_of: exampleAsOf } : {}),
    },
  }
}
