/*
 * Changes between two OpenAPI documents that break clients of the older one. Requests must accept everything that they
 * accepted; responses must keep everything that they promised. New operations, optional fields, response fields, error
 * codes, event types and values of response enumerations are compatible (docs/versioning.md).
 */

// biome-ignore lint/suspicious/noExplicitAny: documents are walked through by name
type Json = any

type Documents = { before: Json; after: Json }

/** @returns one line for each breaking change; empty if clients of `before` work with `after` */
export function breakingChanges(before: Json, after: Json): string[] {
  const documents = { before, after }
  return [...changesOfOperations(documents), ...changesOfWebhooks(documents)]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

function* changesOfOperations(documents: Documents): Generator<string> {
  for (const [path, item] of entries(documents.before.paths)) {
    for (const method of methods.filter((name) => item[name])) {
      const where = `${method.toUpperCase()} ${path}`
      const [was, is] = [item[method], documents.after.paths[path]?.[method]]
      if (!is) {
        yield `${where} was removed`
        continue
      }
      if (was.operationId !== is.operationId)
        yield `${where}: operationId ${was.operationId} became ${is.operationId}`
      if (was['x-scope'] !== is['x-scope'])
        yield `${where}: requires ${is['x-scope']} instead of ${was['x-scope']}`
      yield* changesOfParameters(where, was, is, documents)
      yield* changesOfBody(where, was, is, documents)
      yield* changesOfResponses(where, was, is, documents)
    }
  }
}

function* changesOfParameters(where: string, was: Json, is: Json, documents: Documents): Generator<string> {
  const named = (operation: Json, document: Json) =>
    new Map<string, Json>(
      (operation.parameters ?? []).map((each: Json) => {
        const parameter = resolved(each, document)
        return [`${parameter.in} parameter ${parameter.name}`, parameter]
      }),
    )
  const [older, newer] = [named(was, documents.before), named(is, documents.after)]
  for (const [name, parameter] of older) {
    const now = newer.get(name)
    if (!now) yield `${where}: ${name} was removed`
    else if (now.required && !parameter.required) yield `${where}: ${name} became required`
    else yield* narrowed(`${where}: ${name}`, parameter.schema, now.schema, documents)
  }
  for (const [name, { required }] of newer)
    if (required && !older.has(name)) yield `${where}: ${name} is new and required`
}

function* changesOfBody(where: string, was: Json, is: Json, documents: Documents): Generator<string> {
  const [older, newer] = [was.requestBody, is.requestBody]
  if (newer?.required && !older?.required) yield `${where}: the body became required`
  for (const [type, { schema }] of entries(older?.content ?? {})) {
    const now = newer?.content[type]
    if (!now) yield `${where}: a body of ${type} is no longer accepted`
    else yield* narrowed(`${where}: body`, schema, now.schema, documents)
  }
}

function* changesOfResponses(where: string, was: Json, is: Json, documents: Documents): Generator<string> {
  for (const [status, response] of entries(was.responses).filter(([status]) => status.startsWith('2'))) {
    const now = is.responses[status]
    if (!now) {
      yield `${where}: status ${status} was removed`
      continue
    }
    const [older, newer] = [resolved(response, documents.before), resolved(now, documents.after)]
    for (const name of Object.keys(older.headers ?? {}))
      if (!newer.headers?.[name]) yield `${where}: header ${name} of ${status} was removed`
    for (const [type, { schema }] of entries(older.content ?? {})) {
      const media = newer.content?.[type]
      if (!media) yield `${where}: ${type} of ${status} was removed`
      else yield* weakened(`${where}: response`, schema, media.schema, documents)
    }
  }
}

function* changesOfWebhooks(documents: Documents): Generator<string> {
  for (const [type, { post }] of entries(documents.before.webhooks ?? {})) {
    const now = documents.after.webhooks?.[type]?.post
    const schemaOf = (operation: Json) => operation.requestBody.content['application/json'].schema
    if (!now) yield `webhook ${type} was removed`
    else yield* weakened(`webhook ${type}`, schemaOf(post), schemaOf(now), documents)
  }
}

/** Limits that become breaking when they grow, or when they shrink. */
const least = ['minLength', 'minItems', 'minProperties', 'minimum']
const most = ['maxLength', 'maxItems', 'maxProperties', 'maximum']

/** Values of a request that are no longer accepted. */
function* narrowed(where: string, was: Json, is: Json, documents: Documents): Generator<string> {
  const [older, newer] = [flattened(was, documents.before), flattened(is, documents.after)]
  const lost = typesOf(older).filter((type) => !typesOf(newer).includes(type))
  if (typesOf(newer).length > 0 && lost.length > 0) yield `${where} no longer accepts ${lost.join(', ')}`
  if (newer.enum) {
    const values = (older.enum ?? ['any other value']).filter((value: unknown) => !newer.enum.includes(value))
    if (values.length > 0) yield `${where} no longer accepts ${values.join(', ')}`
  }
  for (const name of least)
    if ((newer[name] ?? -Infinity) > (older[name] ?? -Infinity))
      yield `${where}: ${name} became ${newer[name]}`
  for (const name of most)
    if ((newer[name] ?? Infinity) < (older[name] ?? Infinity)) yield `${where}: ${name} became ${newer[name]}`
  if (newer.pattern && !acceptsAllOf(newer.pattern, older.pattern))
    yield `${where}: pattern became ${newer.pattern}`
  if (newer.format && newer.format !== older.format) yield `${where}: format became ${newer.format}`
  for (const [name, member] of entries(older.properties ?? {})) {
    const now = newer.properties?.[name]
    if (now) yield* narrowed(`${where}.${name}`, member, now, documents)
    else if (newer.additionalProperties === false) yield `${where}.${name} was removed`
  }
  for (const name of newer.required ?? [])
    if (!older.required?.includes(name)) yield `${where}.${name} became required`
  if (older.items && newer.items) yield* narrowed(`${where}[]`, older.items, newer.items, documents)
  if (older.oneOf && newer.oneOf) yield* changesOfVariants(where, older, newer, documents, narrowed)
}

/** The values of a pattern of values separated by commas: `^(a|b)(,(a|b))*$`; null for another pattern. */
const listedIn = (pattern: string): string[] | null =>
  /^\^\(([\w|]+)\)\(,\(\1\)\)\*\$$/.exec(pattern)?.[1]?.split('|') ?? null

/**
 * True for equal patterns, for values separated by commas with further ones, and for one of ids that has further
 * prefixes: `^(cat|tag)_…` becomes `^(cat|eu|tag)_…`.
 */
function acceptsAllOf(newer: string, older = ''): boolean {
  const [listed, formerListed] = [listedIn(newer), listedIn(older)]
  if (listed && formerListed) return formerListed.every((value) => listed.includes(value))
  const partsOf = (pattern: string) => /^\^\(([\w|]+)\)(.*)$/.exec(pattern)?.slice(1) ?? ['', pattern]
  const [[prefixes = '', rest], [formerPrefixes = '', formerRest]] = [partsOf(newer), partsOf(older)]
  const accepted = prefixes.split('|')
  return rest === formerRest && formerPrefixes.split('|').every((prefix) => accepted.includes(prefix))
}

/** Promises of a response that are no longer kept. */
function* weakened(where: string, was: Json, is: Json, documents: Documents): Generator<string> {
  const [older, newer] = [flattened(was, documents.before), flattened(is, documents.after)]
  const gained = typesOf(newer).filter((type) => !typesOf(older).includes(type))
  if (typesOf(older).length > 0 && (gained.length > 0 || typesOf(newer).length === 0))
    yield `${where} can be ${gained.join(', ') || 'anything'}`
  if (older.format && newer.format !== older.format)
    yield `${where}: format ${older.format} became ${newer.format}`
  for (const [name, member] of entries(older.properties ?? {})) {
    const now = newer.properties?.[name]
    if (!now) yield `${where}.${name} was removed`
    else yield* weakened(`${where}.${name}`, member, now, documents)
  }
  for (const name of older.required ?? [])
    if (!newer.required?.includes(name) && newer.properties?.[name]) yield `${where}.${name} can be absent`
  if (older.items && newer.items) yield* weakened(`${where}[]`, older.items, newer.items, documents)
  if (older.oneOf && newer.oneOf) yield* changesOfVariants(where, older, newer, documents, weakened)
}

/** Variants are found by the value that selects them, such as `type`. */
function* changesOfVariants(
  where: string,
  older: Json,
  newer: Json,
  documents: Documents,
  changes: (where: string, was: Json, is: Json, documents: Documents) => Generator<string>,
): Generator<string> {
  const variants: Json[] = newer.oneOf.map((each: Json) => flattened(each, documents.after))
  for (const each of older.oneOf) {
    const variant = flattened(each, documents.before)
    const [tag, { enum: values }] = entries(variant.properties).find(([, each]) => each.enum?.length === 1)!
    const [value] = values
    const now = variants.find(({ properties }) => properties[tag]?.enum?.includes(value))
    if (!now) yield `${where}: the variant ${tag} ${value} was removed`
    else yield* changes(`${where}(${value})`, variant, now, documents)
  }
}

const entries = (object: Json): [string, Json][] => Object.entries(object)

const resolved = (node: Json, document: Json): Json =>
  node.$ref
    ? resolved(
        node.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, name: string) => at[name], document),
        document,
      )
    : node

const typesOf = ({ type, const: constant }: Json): string[] =>
  type === undefined ? (constant === undefined ? [] : [typeof constant]) : [type].flat()

/** A schema with the members of those that it refers to, combines, or makes nullable. */
function flattened(node: Json, document: Json): Json {
  const { allOf = [], anyOf = [], ...schema } = resolved(node, document)
  const parts: Json[] = [schema, ...[...allOf, ...anyOf].map((part: Json) => flattened(part, document))]
  if (parts.length === 1) return schema
  return Object.assign({}, ...parts, {
    type: [...new Set(parts.flatMap(typesOf))],
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  })
}
