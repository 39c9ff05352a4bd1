import assert from 'node:assert/strict'
import { errorCatalogue, fieldErrorCodes } from '@backline/server/platform/kernel/errors.ts'
import { headerOf, type RawAnswer } from './raw-http.ts'

/** The exact members of an error (contract 1.4). */
const members = ['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id', 'params', 'errors']

/** Codes with a more specific HTTP status than the catalogue's. */
const finerStatuses: Record<string, number[]> = { bad_request: [408, 414, 417, 431] }

/** Traces of SQL, the driver, stacks and the file system, which messages must not contain. */
const innards =
  /\bselect\b.+\bfrom\b|insert into|\bSQLSTATE\b|syntax error|pg_|postgres|\bat \S+ \(|\bat file:|node:internal|node_modules|\/work\/|\/tmp\/|\/dev\/shm\/|\/src\/|\.[jt]s:\d|Error:|undefined|\[object/i

/** Headers that an error must have. */
const neededHeaders: Record<number, string> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
}

export type Problem = {
  status: number
  code: keyof typeof errorCatalogue
  detail: string
  params: Record<string, unknown>
  errors: Record<string, string>[]
}

/** Asserts the rules for every response of the server, and returns the problem of an error. */
export function assertWellFormed(answer: RawAnswer, method: string): Problem | null {
  const { status } = answer
  const requestId = headerOf(answer, 'request-id')
  assert.match(requestId ?? '', /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/, 'Request-Id')
  assert.ok(status < 500, `status ${status}: ${answer.body}`)
  for (const [name, values] of answer.headers) {
    // A header that the standard allows once must not be repeated.
    assert.equal(values.length, 1, `${name} is sent ${values.length} times`)
  }
  if (status < 400) return null
  if (neededHeaders[status])
    assert.ok(headerOf(answer, neededHeaders[status]), `${status} without ${neededHeaders[status]}`)
  if (method === 'HEAD') return null
  const problem = assertProblem(answer, requestId!)
  // Null if there is no object.
  if (status === 412) assert.equal(headerOf(answer, 'etag') ?? null, problem.params.etag)
  return problem
}

/** Asserts the format of an error's body, for any status. */
export function assertProblem(answer: RawAnswer, requestId: string): Problem {
  assert.match(headerOf(answer, 'content-type') ?? '', /^application\/problem\+json(; charset=utf-8)?$/)
  const text = answer.body.toString()
  const body = JSON.parse(text)
  assert.deepEqual(Object.keys(body), members)
  const entry = Object.hasOwn(errorCatalogue, body.code) && errorCatalogue[body.code as Problem['code']]
  assert.ok(entry, `unknown code ${body.code}`)
  assert.equal(body.status, answer.status)
  assert.ok(
    [entry[0], ...(finerStatuses[body.code] ?? [])].includes(body.status),
    `${body.code} with ${body.status}`,
  )
  assert.equal(body.title, entry[1])
  assert.match(body.type, new RegExp(`^https?://[^/]+/problems/${body.code}$`))
  assert.equal(body.request_id, requestId)
  assert.ok(typeof body.detail === 'string' && body.detail !== '', 'detail')
  assert.equal(typeof body.instance, 'string')
  assert.ok(body.params && typeof body.params === 'object' && !Array.isArray(body.params), 'params')
  assert.ok(Array.isArray(body.errors), 'errors')
  if (body.code === 'validation_failed' || body.code === 'invalid_query') assert.ok(body.errors.length > 0)
  for (const fault of body.errors) assertFault(fault, body.code)
  // The client chose the path.
  assert.doesNotMatch(
    JSON.stringify({ ...body, instance: '', errors: body.errors.map(withoutNames) }),
    innards,
  )
  return body
}

function assertFault(fault: Record<string, string>, code: string): void {
  const [name, ...others] = Object.keys(fault).filter((key) => key !== 'code' && key !== 'detail')
  // Parameters of a query are faults of `invalid_query` alone, those of a path of others, too.
  const expected = code === 'invalid_query' ? ['parameter', 'header'] : ['pointer', 'header', 'parameter']
  const inFilter = /^filters?$/.test(fault.parameter ?? '') ? ['pointer'] : []
  assert.ok(name !== undefined && expected.includes(name), JSON.stringify(fault))
  assert.ok(
    others.every((each) => inFilter.includes(each)),
    JSON.stringify(fault),
  )
  assert.equal(typeof fault[name], 'string')
  assert.ok((fieldErrorCodes as readonly string[]).includes(fault.code!), `unknown fault ${fault.code}`)
  assert.ok(fault.detail, 'a fault has a detail')
}

/** Names of fields come from the request and may have any text. */
const withoutNames = ({ pointer, parameter, header, ...rest }: Record<string, string>) => rest
