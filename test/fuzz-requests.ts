import { METHODS } from 'node:http'
import { querySchema } from '@backline/server/platform/http/request/query.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { generated, idOf, type KnownIds, mutated, oddValue, toJson } from './fuzz-values.ts'
import type { Random } from './random.ts'

export type FuzzRequest = {
  method: string
  target: string
  headers: [name: string, value: string][]
  body: Buffer | null
  /** True if the body is sent in chunks. */
  isChunked: boolean
}

/** The data for generated requests. */
export type Material = {
  ids: KnownIds
  /** Keys by their permissions: `full` has all scopes. */
  keys: { full: string; foreign: string; weak: string; mistyped: string; unknown: string }
  /** Cursors that any list has returned. */
  cursors: string[]
}

/** A modification that may invalidate a request. */
type Twist = (request: FuzzRequest, route: Route, random: Random, material: Material) => void

/** Generates a request to a route, with up to three modifications. */
export function requestTo(route: Route, name: string, random: Random, material: Material): FuzzRequest {
  const request: FuzzRequest = {
    method: route.method,
    target: `/v1${route.path.replace(/\{(\w+)\}/g, (_, param) => segmentOf(route, param, random, material))}`,
    headers: [
      ['Host', 'fuzz.test'],
      ['Authorization', `Bearer ${material.keys.full}`],
    ],
    body: null,
    isChunked: false,
  }
  if (route.method === 'POST') request.headers.push(['Idempotency-Key', name])
  if (route.body && (!route.bodyOptional || random.chance(0.7))) {
    request.body = Buffer.from(toJson(generated(random, route.body, material.ids)))
    request.headers.push(['Content-Type', 'application/json'])
  }
  for (let i = random.pick([0, 1, 1, 1, 2, 3]); i > 0; i--)
    random.pick(twistsFor(route))(request, route, random, material)
  return request
}

/** A few texts, so that requests meet at the same object. */
const texts = ['crm-1', 'crm%202', '%F0%9F%98%80', '%00', 'x'.repeat(256)]

const segmentOf = (route: Route, param: string, random: Random, { ids }: Material): string =>
  route.texts?.properties[param] ? random.pick(texts) : idOf(random, route.params?.[param] ?? 'conv', ids)

export function toBytes(request: FuzzRequest): Buffer {
  const { method, target, headers, body, isChunked } = request
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  if (body && isChunked) lines.push('Transfer-Encoding: chunked')
  else if (body) lines.push(`Content-Length: ${body.length}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (!body) return head
  return Buffer.concat(isChunked ? [head, ...inChunks(body)] : [head, body])
}

function inChunks(body: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / 3))
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

const setHeader = (request: FuzzRequest, name: string, value: string | null) => {
  request.headers = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  if (value !== null) request.headers.push([name, value])
}

const twistValue: Twist = (request, route, random, { ids }) => {
  if (!route.body) return
  let value = mutated(random, generated(random, route.body, ids), ids)
  if (random.chance(0.3)) value = mutated(random, value, ids)
  request.body = Buffer.from(toJson(value))
  setHeader(request, 'Content-Type', 'application/json')
}

/** Bodies that are not JSON, or JSON of another type. */
const twistBytes: Twist = (request, route, random, { ids }) => {
  const valid = Buffer.from(toJson(generated(random, route.body ?? { type: 'object' }, ids)))
  const at = random.below(valid.length + 1)
  const insert = (...bytes: number[]) =>
    Buffer.concat([valid.subarray(0, at), Buffer.from(bytes), valid.subarray(at)])
  request.body = random.pick<() => Buffer>([
    () => valid.subarray(0, at),
    () => Buffer.alloc(0),
    () => Buffer.from('   \r\n\t'),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), valid]),
    () => insert(0xff),
    () => insert(0xc0, 0x80),
    () => insert(0xed, 0xa0, 0x80),
    () => insert(0xf4, 0x90, 0x80, 0x80),
    () => insert(0),
    () => Buffer.concat([valid, Buffer.from('x')]),
    () => Buffer.concat([valid, valid]),
    () => Buffer.from(valid.toString('latin1'), 'utf16le'),
    () =>
      Buffer.from(
        random.pick([
          'null',
          '[]',
          '1',
          '"x"',
          'true',
          '{',
          '}',
          '[',
          '"',
          '\\',
          'NaN',
          'undefined',
          "{'a':1}",
          '{"a":1,}',
          '{"a":01}',
          '/**/{}',
          '-',
          '1e',
        ]),
      ),
    () => Buffer.from(toJson(oddValue(random, ids))),
  ])()
  if (random.chance(0.8)) setHeader(request, 'Content-Type', 'application/json')
}

/** JSON that is not an object, for routes with and without a body. */
const twistKind: Twist = (request, _route, random) => {
  request.body = Buffer.from(random.pick(['null', ' null ', '[]', '[{}]', '0', '""', '"x"', 'true', 'false']))
  setHeader(request, 'Content-Type', 'application/json')
}

const twistMediaType: Twist = (request, _route, random) => {
  request.body ??= Buffer.from('{}')
  setHeader(request, 'Content-Type', random.pick([...mediaTypes, null]))
}

const mediaTypes = [
  'application/merge-patch+json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json;charset="utf-8"; charset=x',
  'application/json;',
  'application/json; =',
  'application/json, application/json',
  'application/jsonx',
  'application/json\t',
  'text/plain',
  'text/html',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/problem+json',
  '*/*',
  'json',
  '/',
  '',
  '\xff\xfe',
  `application/json; x=${'a'.repeat(4000)}`,
]

/** Replaces an id in the path. */
const twistPath: Twist = (request, route, random, material) => {
  const parts = request.target.split('/')
  const i = route.path.includes('{') ? parts.findIndex((part) => part.includes('_') && part.length > 26) : -1
  const at = i < 0 ? parts.length - 1 : i
  const now = parts[at]!
  parts[at] = random.pick<() => string>([
    () =>
      random.pick([
        '%00',
        '%ff',
        '%2f',
        '%2e%2e',
        '..',
        '.',
        '%',
        '%zz',
        '%e2%82',
        '*',
        '__proto__',
        'null',
        ':id',
        '{id}',
        '%20',
        "'",
        '%F0%9F%98%80',
        ';',
        '~',
        '@',
        '0',
      ]),
    () => `${now}%00`,
    () => `${now}%ff`,
    () => `${now}%2fmessages`,
    () => `${now}/`,
    () => `/${now}`,
    () => `${now};a=b`,
    () => `${now}#x`,
    () => now.toUpperCase(),
    () => now.replace('_', '-'),
    () => now.slice(0, -1),
    () => `${now}0`,
    () => now.replace(/_./, '_8'),
    () => encodeURIComponent(now).replace('c', '%63'),
    () => now + 'a'.repeat(random.pick([50, 100, 300, 3000])),
    () => random.pick(material.ids.foreign.get(now.split('_', 1)[0]!) ?? [now]),
    () => random.pick([...material.ids.own.values()].flat()),
  ])()
  request.target = parts.join('/')
}

const twistQuery: Twist = (request, route, random, material) => {
  const properties = (querySchema(route) as { properties?: Record<string, object> }).properties ?? {}
  const names = Object.keys(properties)
  const pairs: string[] = []
  for (let i = random.between(1, 4); i > 0; i--) {
    const isKnown = names.length > 0 && random.chance(0.8)
    const name = isKnown ? random.pick(names) : random.pick(oddParameters)
    const value = valueInQuery(name, properties[name], random, material)
    pairs.push(
      random.chance(0.95) ? `${encode(name)}=${value}` : `${encode(name)}=${value}&${encode(name)}=${value}`,
    )
  }
  if (random.chance(0.1))
    pairs.push(
      random.pick([
        '%',
        '%zz=1',
        'a=%',
        '=',
        '&&',
        '?',
        '%ff=%ff',
        '=1',
        'limit[]=1',
        'limit[0]=1',
        'a;b',
        '#',
      ]),
    )
  if (random.chance(0.02)) pairs.push(...Array.from({ length: 1000 }, () => 'q=1'))
  request.target += `?${pairs.join('&')}`
}

const oddParameters = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '\0',
  'limit[]',
  'filter[a]',
  'Limit',
  'page',
  'id',
  'tenant_id',
  'x'.repeat(500),
]

function valueInQuery(name: string, schema: object | undefined, random: Random, material: Material): string {
  if (name === 'cursor') return encode(cursorLike(random, material))
  if (schema && random.chance(0.6)) return encode(String(generated(random, schema, material.ids)))
  const value = oddValue(random, material.ids)
  const text = typeof value === 'string' ? value : toJson(value)
  return encode(text.slice(0, 1500))
}

/** Percent-encodes a text; lone surrogates become invalid UTF-8. */
const encode = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')

/** A genuine cursor, or a modified one. */
function cursorLike(random: Random, { cursors }: Material): string {
  const cursor = cursors.length > 0 ? random.pick(cursors) : 'AAAA'
  const at = random.below(cursor.length)
  return random.pick<() => string>([
    () => cursor,
    () => cursor,
    () => cursor.slice(0, at),
    () => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    () => `${cursor}A`,
    () => `${cursor}=`,
    () => ` ${cursor}`,
    () => cursor.replaceAll('-', '+').replaceAll('_', '/'),
    () => cursor + cursor,
    () => Buffer.from('[null]').toString('base64url'),
    () => 'A'.repeat(random.pick([1, 37, 38, 64, 2048, 2049])),
    () => random.pick(['', '*', '\0', '😀', '-1', 'null', '__proto__']),
  ])()
}

const twistKey: Twist = (request, _route, random, { keys }) => {
  const value = random.pick<string | null>([
    null,
    '',
    'Bearer',
    'Bearer ',
    keys.full,
    `bearer ${keys.full}`,
    `Bearer  ${keys.full}`,
    `Bearer ${keys.full} x`,
    `Bearer ${keys.full},`,
    `Basic ${btoa(`${keys.full}:`)}`,
    `Bearer ${keys.foreign}`,
    `Bearer ${keys.weak}`,
    `Bearer ${keys.mistyped}`,
    `Bearer ${keys.unknown}`,
    `Bearer ${keys.full.toUpperCase()}`,
    `Bearer \xff\xfe`,
    `Bearer ${'a'.repeat(8000)}`,
  ])
  setHeader(request, 'Authorization', value)
}

const twistIdempotencyKey: Twist = (request, _route, random) => {
  setHeader(
    request,
    'Idempotency-Key',
    random.pick<string | null>([
      null,
      '',
      '""',
      '"',
      '"a',
      'a"',
      '"a\\',
      '"a\\x"',
      `fuzz-shared-${random.below(5)}`,
      `"fuzz-shared-${random.below(5)}"`,
      'k'.repeat(255) + random.below(1000),
      'k'.repeat(256),
      'k'.repeat(9000),
      'a\tb',
      '\xe4',
      '\xff',
      'a, b',
      "'; --",
      '__proto__',
    ]),
  )
}

/** Headers that affect the response, valid and invalid. */
const twistHeader: Twist = (request, _route, random) => {
  const [name, values] = random.pick(Object.entries(oddHeaders))
  setHeader(request, name, random.pick(values))
}

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const oddHeaders: Record<string, string[]> = {
  Accept: [
    '*/*',
    'application/json',
    'text/html',
    'application/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/json;q=x',
    ',,,',
    '',
    '\xff',
    'a/b;q=1,'.repeat(500),
    ';',
    'application/problem+json',
  ],
  'If-Match': [
    '*',
    '"1"',
    '"2"',
    'W/"1"',
    '"999"',
    '1',
    '""',
    '"',
    ',',
    '"1", "2"',
    '"1",'.repeat(500),
    '\xff',
    '"99999999999999999999"',
  ],
  'If-None-Match': ['*', '"1"', 'W/"1"', '"', '\xff', ','],
  'Backline-Operator': ['', 'op_00000000000000000000000000', 'op_', 'me', '\xff', '*', 'x'.repeat(5000)],
  traceparent: [
    trace,
    trace.toUpperCase(),
    `${trace}-x`,
    '00-0-0-0',
    '',
    '\xff',
    `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`,
    `ff${trace.slice(2)}`,
  ],
  'User-Agent': ['', '\xff\xfe', 'x'.repeat(5000), "'; --", '\u00e4'],
  'X-Forwarded-For': ['10.0.0.1', 'x', '::1, 1.1.1.1'],
  'X-HTTP-Method-Override': ['DELETE'],
  'Content-Encoding': ['gzip', 'br', 'identity'],
  'Accept-Encoding': ['gzip', '*;q=0'],
  'Accept-Version': ['1.0.0', '\xff', '*'],
  Range: ['bytes=0-1'],
  Connection: ['close', 'keep-alive, Authorization', 'upgrade'],
  Upgrade: ['h2c', 'websocket'],
  Expect: ['100-continue'],
  Date: ['yesterday'],
  Host: ['', 'a b', '[::', 'x:99999', '\xff'],
  Cookie: ['a=b; __proto__=1', 'backline_console_8080=', `backline_console_8080=bkl_con_${'x'.repeat(50)}`],
  'Backline-Console': ['live', 'test', '', 'x', 'live, test', '\xff'],
  __proto__: ['1'],
  constructor: ['1'],
}

/** Headers that a client must send once, sent twice. */
const twistRepeatedHeader: Twist = (request, _route, random, { keys }) => {
  const repeated: [string, string][] = [
    ['Authorization', `Bearer ${random.pick(Object.values(keys))}`],
    ['Idempotency-Key', 'fuzz-second'],
    ['If-Match', '"1"'],
    ['Content-Type', random.pick(['application/json', 'text/plain'])],
    ['Accept', random.pick(['application/json', 'text/html'])],
    ['Backline-Operator', 'op_00000000000000000000000000'],
    ['traceparent', trace],
  ]
  const [name, value] = random.pick(repeated)
  if (!request.headers.some(([other]) => other === name)) request.headers.push([name, value])
  request.headers.push([name, value])
}

const twistMethod: Twist = (request, _route, random) => {
  request.method = random.pick([
    ...methods,
    'HEAD',
    'HEAD',
    'OPTIONS',
    'PUT',
    'DELETE',
    'PATCH',
    'get',
    'FOO',
  ])
}

/** CONNECT requests a tunnel from a proxy; another test covers it. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

const twistSize: Twist = (request, _route, random) => {
  if (random.chance(0.8)) return
  random.pick<() => void>([
    () => request.headers.push(['X-Filler', 'x'.repeat(random.pick([8000, 16_000, 17_000, 40_000]))]),
    () => request.headers.push(...Array.from({ length: 1500 }, (_, i): [string, string] => [`X-${i}`, ''])),
    () => {
      request.target += `${request.target.includes('?') ? '&' : '?'}q=${'x'.repeat(random.pick([7000, 9000, 12_000]))}`
    },
    () => {
      request.body = Buffer.from(
        `{"subject":"${'x'.repeat(random.pick([1_000_000, 1_048_577, 2_097_152]))}"}`,
      )
      setHeader(request, 'Content-Type', 'application/json')
    },
  ])()
}

const twistFraming: Twist = (request) => {
  request.isChunked = request.body !== null && request.body.length > 0
}

const everywhere = [
  twistBytes,
  twistKind,
  twistMediaType,
  twistQuery,
  twistKey,
  twistIdempotencyKey,
  twistHeader,
  twistHeader,
  twistRepeatedHeader,
  twistMethod,
  twistSize,
  twistFraming,
  twistPath,
]

/** Modifications that matter most for a route are the most frequent. */
const twistsFor = (route: Route): Twist[] => [
  ...everywhere,
  ...(route.body ? Array.from({ length: 12 }, () => twistValue) : []),
  ...(route.kind === 'list' ? Array.from({ length: 12 }, () => twistQuery) : []),
  ...(route.params ? Array.from({ length: 4 }, () => twistPath) : []),
]
