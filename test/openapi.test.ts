import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { before, describe, test } from 'node:test'
import { type ErrorCode, errorCatalogue } from '@backline/server/platform/kernel/errors.ts'
import type { Resource, Route } from '@backline/server/platform/resource/resource.ts'
import { versionOf } from '@backline/server/platform/versions/version.ts'
import { openapiDocument } from '@backline/server/support/documents/openapi.ts'
import { exampleOf } from '@backline/server/support/documents/problem-examples.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Service, service } from './harness.ts'
import { bothVersions } from './versions/both-versions.ts'
import { v2 } from './versions/v2-example.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked through by name
type Json = any
type Operation = { method: string; path: string; name: string; operation: Json }

describe('the OpenAPI document', () => checkDocument(service(), '/v1', (resources) => resources))

describe('the OpenAPI document of a second version', () =>
  checkDocument(service({ versions: bothVersions() }), '/v2', (resources) => versionOf(resources, v2)))

/** The checks of the document of one version. */
function checkDocument(server: Service, prefix: string, derive: (resources: Resource[]) => Resource[]): void {
  let document: Json
  let operations: Operation[]
  let resources: Resource[]
  let routes: Route[]
  const ajv = new Ajv2020({ strict: false, allErrors: true })
    .addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
    .addFormat('uri', (text) => URL.canParse(text))
    .addFormat('json-pointer', /^(\/([^~/]|~[01])*)*$/)
    .addFormat('int32', true)
    .addFormat('int64', true)

  before(async () => {
    document = await (await fetch(`${server.url}${prefix}/openapi.json`)).json()
    ajv.addSchema(closed(document), 'openapi')
    resources = derive(server.resources)
    routes = resources.flatMap((resource) => resource.routes)
    operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    )
  })

  /** Resolves a `$ref` of the document; returns any other node unchanged. */
  const resolve = (node: Json): Json =>
    node.$ref
      ? resolve(
          node.$ref
            .slice(2)
            .split('/')
            .reduce((at: Json, name: string) => at[name], document),
        )
      : node

  const compiled = new Map<string, ValidateFunction>()
  /** Returns the errors of a value; an empty text if it is valid. */
  function faultsOf(schema: Json, value: unknown): string {
    const absolute = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')
    const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute))
    compiled.set(absolute, validate)
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }

  const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  const isService = ({ operation }: Operation) => operation.tags.includes('service')
  const responsesOf = ({ operation }: Operation) =>
    Object.entries<Json>(operation.responses).map(([status, response]) => ({ status, ...resolve(response) }))
  const codesOf = (operation: Operation): Set<string> =>
    new Set(
      responsesOf(operation)
        .filter(({ status }) => /^[45]\d\d$/.test(status))
        .flatMap(({ content }) => content['application/problem+json'].schema.allOf[1].properties.code.enum),
    )

  test('openapi/v1.json is what the server serves', async () => {
    const committed = await readFile(`${import.meta.dirname}/../openapi/v1.json`, 'utf8')
    const served = await (await fetch(`${server.url}/v1/openapi.json`)).json()
    assert.deepEqual(JSON.parse(committed), served, 'Run npm run gen')
  })

  test('the document names no path of another version', () => {
    const { description, ...info } = document.info
    const paths = JSON.stringify({ ...document, info }).match(/\/v\d+\//g)
    assert.deepEqual([...new Set(paths)], [`${prefix}/`])
  })

  test('two generations are equal, byte for byte', () => {
    const generate = () => JSON.stringify(openapiDocument(resources, 'https://support.example.com', prefix))
    assert.equal(generate(), generate())
  })

  test('every declared route is in the document, and nothing else but the service', () => {
    const declared = routes.map(({ method, path }) => `${method} ${prefix}${path}`)
    const documented = operations.filter((operation) => !isService(operation)).map(({ name }) => name)
    assert.deepEqual(documented.sort(), declared.sort())
  })

  test('every path is served with exactly the methods that are documented', async () => {
    for (const path of Object.keys(document.paths)) {
      const { operation } = operations.find((each) => each.path === path)!
      const inPath = (name: string) =>
        (operation.parameters ?? [])
          .map(resolve)
          .find((each: Json) => each.in === 'path' && each.name === name)
      const concrete = path.replace(/\{(\w+)\}/g, (_, name) => inPath(name).example)
      const documented = operations.filter((each) => each.path === path).map(({ method }) => method)
      // The router takes `/sla_configs/reorder` for `/sla_configs/{id}` with other methods.
      const routed = operations.filter((each) => patternOf(each.path).test(path)).map(({ method }) => method)
      const other = ['DELETE', 'PUT', 'PATCH', 'POST'].find((method) => !routed.includes(method))!
      const answer = await fetch(server.url + concrete, { method: other })
      assert.equal(answer.status, 405, `${other} ${concrete}`)
      const served = answer.headers.get('allow')!.split(', ')
      const own = served.filter((method) => method !== 'HEAD' && method !== 'OPTIONS') // preflights of browsers
      assert.deepEqual(own.sort(), documented.sort(), path)
    }
  })

  test('operationIds are unique', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(ids, [...new Set(ids)])
  })

  test('every tag is in one group', () => {
    const grouped = document['x-tagGroups'].flatMap(({ tags }: { tags: string[] }) => tags)
    assert.deepEqual(grouped.sort(), document.tags.map(({ name }: { name: string }) => name).sort())
  })

  test('only the service needs no credential, and every other operation names the one that it takes', () => {
    assert.deepEqual(document.security, [{ apiKey: [] }])
    for (const each of operations) {
      if (isService(each)) {
        assert.equal(each.operation['x-scope'], undefined, each.name)
        continue
      }
      const isOpen = routes.some(
        ({ method, path, credential }) => credential === 'none' && each.name === `${method} ${prefix}${path}`,
      )
      if (isOpen) {
        assert.deepEqual([each.operation.security, each.operation['x-scope']], [[], undefined], each.name)
        continue
      }
      const [scheme, ...others] = each.operation.security.flatMap((one: Json) => Object.keys(one))
      assert.deepEqual(others, [], each.name)
      assert.ok(['apiKey', 'publishableKey', 'endUserToken'].includes(scheme), each.name)
      assert.equal(typeof each.operation['x-scope'] === 'string', scheme === 'apiKey', each.name)
    }
  })

  test('every request and response has an example, and every example fits its schema', () => {
    let examples = 0
    const check = (where: string, { schema, example, examples: several }: Json) => {
      const values = several ? Object.values<Json>(several).map(({ value }) => value) : [example]
      for (const value of values) {
        assert.notEqual(value, undefined, `${where} has no example`)
        assert.equal(faultsOf(schema, value), '', `${where}: ${JSON.stringify(value)}`)
        examples++
      }
    }
    for (const each of operations) {
      const { requestBody, parameters = [] } = each.operation
      for (const [type, content] of Object.entries<Json>(requestBody?.content ?? {}))
        check(`${each.name} ${type}`, content)
      for (const { status, headers, content = {} } of responsesOf(each)) {
        for (const [type, media] of Object.entries<Json>(content))
          check(`${each.name} ${status} ${type}`, media)
        for (const [name, header] of Object.entries<Json>(headers)) check(`header ${name}`, resolve(header))
      }
      for (const parameter of parameters.map(resolve))
        if (parameter.in === 'path') check(`${each.name} ${parameter.name}`, parameter)
    }
    assert.ok(examples > operations.length)
  })

  /** A sentence that says more than a generated one would. */
  const isTold = ({ description = '' }: Json): boolean =>
    /^.{8,}\.$/s.test(description.replace(/ ?New (?:values|ones|codes) may be added\.$/, ''))

  test('every operation is described beyond its title and scope', () => {
    const told = new Set<string>()
    for (const each of operations) {
      const text: string = each.operation.description.replace(/ Scope: `[^`]+`\.$/, '')
      assert.ok(isTold({ description: text }), `${each.name}: ${text}`)
      assert.notEqual(text.replace(/\.$/, ''), each.operation.summary, each.name)
      assert.ok(!told.has(text) || /^A(nd)? page|Returns an HTML/.test(text), `${each.name} repeats: ${text}`)
      told.add(text)
    }
  })

  test('every parameter is described, and `sort` says what each of its values means', () => {
    for (const each of operations) {
      for (const parameter of (each.operation.parameters ?? []).map(resolve)) {
        const { name, description, schema } = parameter
        assert.ok(isTold(parameter), `${each.name} ${name}: ${description}`)
        if (name !== 'sort') continue
        for (const value of schema.enum)
          assert.match(description, new RegExp(`\`${value}\`: (?!undefined)[\\w\`]`), each.name)
      }
    }
  })

  test('every success says what it contains', () => {
    for (const each of operations)
      for (const { status, description } of responsesOf(each).filter(({ status }) => /^2/.test(status)))
        assert.doesNotMatch(description, /^(Success|Done|Created|Accepted)\.$/, `${each.name} ${status}`)
  })

  /** Members that explain themselves: the id of the object itself and its type. */
  const selfEvident = ['id', 'object']

  test('every member of every request and response is described', () => {
    const untold: string[] = []
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      if (schema.allOf?.[0].$ref === '#/components/schemas/Event') continue // the members are those of `Event`
      for (const part of schemasWithin(schema))
        for (const [member, value] of Object.entries<Json>(part.properties ?? {})) {
          const isTag = value.enum?.length === 1 // of one of several forms
          if (!selfEvident.includes(member) && !isTag && !isTold(resolve(value)))
            untold.push(`${name}.${member}`)
        }
    }
    assert.deepEqual(untold, [])
  })

  test('schemas of requests are closed, and schemas of responses are open', () => {
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      const isRequest = /(Body|Input)$/.test(name)
      for (const part of schemasWithin(schema).filter(({ properties }) => properties))
        assert.equal(part.additionalProperties, isRequest ? false : undefined, name)
      if (!isRequest)
        for (const part of schemasWithin(schema).filter(({ enum: values }) => values?.length > 1))
          assert.match(part.description, /New .*may be added\./, name)
    }
  })

  test('no reference has siblings, and no response stands for several statuses', () => {
    for (const node of nodesWithin(document))
      if ('$ref' in node) assert.deepEqual(Object.keys(node), ['$ref'])
    for (const each of operations)
      for (const status of Object.keys(each.operation.responses)) assert.match(status, /^\d{3}$/, each.name)
  })

  test('an object that a response contains is written once', () => {
    const texts = new Map<string, string[]>()
    for (const [name, schema] of Object.entries<Json>(document.components.schemas))
      for (const { description: _, type: __, ...part } of schemasWithin(schema)) {
        const text = JSON.stringify(part)
        if (part.properties && text.length > 300) texts.set(text, [...(texts.get(text) ?? []), name])
      }
    const repeated = [...texts.values()].filter(({ length }) => length > 1)
    assert.deepEqual(
      repeated.filter((names) => !names[0]!.endsWith('Body')),
      [],
    )
  })

  test('every event type is a webhook with the object that its events contain', () => {
    if (prefix !== '/v1') return assert.equal(document.webhooks, undefined) // webhooks have the form of /v1
    const types = resources.flatMap(({ events }) => events)
    assert.deepEqual(Object.keys(document.webhooks).sort(), types.map(({ type }) => type).sort())
    for (const { type, example, members } of types) {
      const { schema, example: body } = document.webhooks[type].post.requestBody.content['application/json']
      assert.equal(body.type, type)
      assert.equal(faultsOf(schema, body), '', type)
      const own = resolve(schema.allOf[0]).allOf[1].properties
      assert.equal(own.type.const, type)
      if (!members) assert.equal(faultsOf(own.data.properties.object, example), '', type)
      assert.notEqual(faultsOf(schema, { ...body, type: 'other.type' }), '', type)
    }
  })

  /** The errors that each kind of route can have (contract 1.2 to 1.7), in addition to its own `errors`. */
  const refusals: { when(route: Route): boolean; codes: ErrorCode[] }[] = [
    {
      when: () => true,
      codes: [
        'api_key_missing',
        'api_key_invalid',
        'api_key_expired',
        'identity_invalid',
        'scope_missing',
        'address_not_allowed',
      ],
    },
    {
      when: () => true,
      codes: ['version_retired', 'rate_limited', 'not_acceptable', 'bad_request', 'invalid_query'],
    },
    { when: () => true, codes: ['validation_failed', 'internal_error', 'unavailable'] },
    { when: ({ credential }) => credential === 'publishable_key', codes: ['origin_not_allowed'] },
    { when: ({ params }) => params !== undefined, codes: ['not_found'] },
    {
      when: ({ kind, cursorsOf }) => kind === 'list' || cursorsOf !== undefined,
      codes: ['cursor_invalid', 'cursor_mismatch'],
    },
    { when: ({ method }) => method === 'POST', codes: ['idempotency_key_missing'] },
    {
      when: ({ kind }) => kind === 'write',
      codes: ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_key_in_use'],
    },
    {
      when: ({ method }) => method !== 'GET',
      codes: ['malformed_json', 'payload_too_large', 'unsupported_media_type'],
    },
    {
      when: ({ kind, method, params }) => kind === 'write' && (method !== 'POST' || params !== undefined),
      codes: ['precondition_failed'],
    },
  ]

  test('every error code that a route can answer is listed, and no other', () => {
    for (const each of operations.filter((operation) => !isService(operation))) {
      const route = routes.find(({ method, path }) => each.name === `${method} ${prefix}${path}`)!
      const expected = new Set(refusals.filter(({ when }) => when(route)).flatMap(({ codes }) => codes))
      for (const code of route.errors ?? []) expected.add(code)
      assert.deepEqual([...codesOf(each)].sort(), [...expected].sort(), each.name)
    }
    const known = document.components.schemas.Problem.properties.code.enum
    assert.deepEqual(known, Object.keys(errorCatalogue))
  })

  test('the example of an error has the params that its explanation speaks of', () => {
    for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
      const named = [...errorCatalogue[code][2].matchAll(/`params\.(\w+)`/g)].map(([, name]) => name!)
      for (const name of named) assert.ok(name in exampleOf(code).params, `${code}: params.${name}`)
    }
  })

  /** Headers of HTTP and browsers that clients of the API do not need. */
  const ofHttp = [
    'access-control-allow-origin',
    'access-control-expose-headers',
    'cache-control',
    'connection',
    'content-length',
    'content-security-policy',
    'content-type',
    'date',
    'keep-alive',
    'x-content-type-options',
  ]
  /** Those of the pages of the service, which are compressed and cached. */
  const ofPages = ['content-encoding', 'etag', 'vary']

  /** Asserts that a real response matches the document for this operation and status. */
  async function isAsDocumented(each: Operation, response: Response, what: string): Promise<void> {
    const { status } = response
    const documented = each.operation.responses[status]
    assert.ok(documented, `${what}: ${status} is not documented`)
    const { headers, content = {} } = resolve(documented)
    const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
    for (const name of response.headers.keys())
      assert.ok(
        ofHttp.includes(name) || names.has(name) || (isService(each) && ofPages.includes(name)),
        `${what}: header ${name} of ${status}`,
      )
    const type = response.headers.get('content-type')?.split(';')[0]
    const text = await response.text()
    if (!type) return assert.equal(text, '', what)
    assert.ok(content[type], `${what}: ${type} of ${status}`)
    const value = /json/.test(type) ? JSON.parse(text) : text
    assert.equal(faultsOf(content[type].schema, value), '', `${what}: ${text.slice(0, 500)}`)
  }

  test('what the service answers is as documented', async () => {
    for (const each of operations.filter(isService)) {
      for (const accept of ['application/json', 'text/html', '*/*']) {
        const path = each.path.replace('{code}', 'scope_missing').replace('{name}', 'webhooks')
        const response = await fetch(server.url + path, { headers: { accept } })
        assert.equal(response.status, 200, each.name)
        await isAsDocumented(each, response, `${each.name} as ${accept}`)
      }
    }
    const unknown = operations.find(({ path }) => path === '/problems/{code}')!
    const response = await fetch(`${server.url}/problems/no_such_code`)
    assert.equal(response.status, 404)
    await isAsDocumented(unknown, response, unknown.name)
  })

  test('what HTTP itself refuses is as documented', async () => {
    const each = operations.find(({ name }) => name === `POST ${prefix}/conversations`)!
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const tooLong = await fetch(`${server.url}${each.path}?${'x'.repeat(8200)}`, {
      method: 'POST',
      headers: { traceparent },
    })
    assert.equal(tooLong.status, 414)
    await isAsDocumented(each, tooLong, each.name)
    const tooMany = await fetch(server.url + each.path, {
      method: 'POST',
      headers: { 'x-long': 'x'.repeat(17_000) },
    })
    assert.equal(tooMany.status, 431)
    await isAsDocumented(each, tooMany, each.name)
  })

  test('no page can be shown in a frame, and the pages of errors run nothing', async () => {
    for (const path of ['/docs', '/', '/guides', '/guides/webhooks', '/problems', '/problems/not_found']) {
      const page = await fetch(server.url + path, { headers: { accept: 'text/html' } })
      assert.match(page.headers.get('content-type')!, /^text\/html/)
      assert.match(page.headers.get('content-security-policy')!, /frame-ancestors 'none'/, path)
      if (path === '/docs') continue
      assert.match(
        page.headers.get('content-security-policy')!,
        /^default-src 'none'; img-src data:; style-src 'sha256-/,
      )
      const [, style] = /<style>([^<]*)<\/style>/.exec(await page.text())!
      const digest = createHash('sha256').update(style!).digest('base64')
      assert.ok(page.headers.get('content-security-policy')!.includes(`'sha256-${digest}'`))
    }
  })

  test('the reference page asks no other server for anything', async () => {
    const page = await fetch(`${server.url}/docs`)
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'self' data: blob:;/)
    assert.match(policy, /connect-src 'self' http:\/\/127\.0\.0\.1:8080;/)
    assert.doesNotMatch(await page.text(), /https?:\/\//)
    const [, script] = /src="(docs\/scalar[^"]*)"/.exec(await (await fetch(`${server.url}/docs`)).text())!
    const reference = await fetch(`${server.url}/${script}`)
    assert.equal(reference.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.match(reference.headers.get('cache-control')!, /immutable/)
    assert.ok((await reference.text()).length > 1_000_000)
  })

  test('the reference page weighs at most 1.3 MB, and nothing the second time', async () => {
    const paths = ['/docs', '/docs/start.js', '/docs/scalar-1.70.0.js', `${prefix}/openapi.json`]
    for (const encoding of ['br', 'gzip']) {
      let bytes = 0
      for (const path of paths) {
        const answer = await rawRequest(`${server.url}${path}`, { 'accept-encoding': encoding })
        assert.equal(answer.headers['content-encoding'], encoding, path)
        bytes += answer.body.length
        const again = await rawRequest(`${server.url}${path}`, {
          'accept-encoding': encoding,
          'if-none-match': answer.headers.etag!,
        })
        assert.deepEqual([again.status, again.body.length], [304, 0], path)
      }
      assert.ok(bytes < 1_300_000, `${bytes} bytes`)
    }
    const plain = await rawRequest(`${server.url}${prefix}/openapi.json`, {})
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.deepEqual(JSON.parse(plain.body.toString()), document)
  })

  test('every guide is a page, and its links lead to pages', async () => {
    const index = await (await fetch(`${server.url}/guides`)).text()
    const names = [...index.matchAll(/href="guides\/([\w-]+)"/g)].map(([, name]) => name!)
    const files = (await readdir(`${import.meta.dirname}/../docs`)).filter((name) => name.endsWith('.md'))
    const forContributors = ['glossary', 'versioning']
    const expected = files.map((name) => name.slice(0, -3)).filter((name) => !forContributors.includes(name))
    assert.deepEqual(names.toSorted(), expected.toSorted())
    for (const name of names) {
      const page = await (await fetch(`${server.url}/guides/${name}`)).text()
      for (const [, target] of page.matchAll(/<a href="([^"#]+)[^"]*"/g)) {
        const { origin, href } = new URL(target!, `${server.url}/guides/${name}`)
        if (origin === server.url) assert.equal((await fetch(href)).status, 200, `${name}: ${target}`)
      }
    }
  })

  test('GET / tells a browser and a program the same', async () => {
    const program: Json = await (await fetch(server.url)).json()
    const { version, status, links } = program
    assert.equal(status, 'ready')
    for (const link of Object.values<string>(links))
      assert.equal((await fetch(server.url + new URL(link).pathname)).status, 200, link)
    const page = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()
    assert.ok(page.includes(version) && page.includes('ready'))
  })
}

function nodesWithin(node: Json): Json[] {
  if (typeof node !== 'object' || node === null) return []
  return [node, ...Object.values(node).flatMap(nodesWithin)]
}

/** All schemas within a schema, and itself. */
const schemasWithin = (schema: Json): Json[] =>
  nodesWithin(schema).filter(({ type, allOf }) => typeof type === 'string' || Array.isArray(type) || allOf)

/** The document with closed objects, so that a field without documentation is an error here. */
function closed(document: Json): Json {
  const { Event: _, Problem: __, WebhookTimestamp: ___, ...schemas } = document.components.schemas // parts of other schemas
  const close = (node: Json): Json => {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map(close)
    const inner = Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, key === 'allOf' ? value : close(value)]),
    )
    const isObject = typeof node.properties === 'object' && node.type && !('additionalProperties' in node)
    return isObject ? { ...inner, additionalProperties: false } : inner
  }
  const { components } = document
  return { ...document, components: { ...components, schemas: { ...components.schemas, ...close(schemas) } } }
}

/** A request without decompression. */
const rawRequest = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(url, { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    }).on('error', reject)
  })
