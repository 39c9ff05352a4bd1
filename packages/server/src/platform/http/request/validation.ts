import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { parseInstant } from '../../kernel/clock.ts'
import { ApiError, type FieldError, type FieldErrorCode } from '../../kernel/errors.ts'
import { typeOfPrefix } from '../../kernel/ids.ts'
import { nounOf, withArticle } from '../../kernel/names.ts'
import { nearest } from '../../kernel/spelling.ts'
import {
  advice,
  type Check,
  choices,
  fixedNames,
  formerNames,
  mostIds,
  type TSchema,
  trimmed,
  visible,
} from '../../resource/schema.ts'
import type { Ctx } from '../../unit-of-work/context.ts'

/** No valid body has nearly as many values. For larger ones, finding every error costs more than it helps. */
const manyValues = 2_000

const options = {
  allErrors: true,
  strict: false,
  ownProperties: true,
  verbose: true,
  discriminator: true,
  passContext: true,
  validateSchema: false, // the schemas are our own, and tests compile them with a strict Ajv
}
const formats = (ajv: Ajv2020) =>
  ajv
    .addFormat('date-time', (text) => parseInstant(text) !== null)
    .addFormat('int32', true)
    .addFormat('int64', true)

/*
 * Bodies are validated without conversion. Query parameters are strings and are converted to the type in their
 * schema. Ajv compiles a schema for its first request: compiling all of them took half of the start time.
 */
const checking = { keyword: 'check', validate: noteCheck }
const bodies = formats(new Ajv2020(options)).addKeyword(checking)
/** Stops at the first error. */
const hugeBodies = formats(new Ajv2020({ ...options, allErrors: false })).addKeyword(checking)
const queries = formats(new Ajv2020(options))

/** The maximum number of reported errors, so that a client cannot choose the size of the response. */
const maxErrors = 100
/** Clients choose member names, so pointers are truncated. */
const maxPointerLength = 500

type RequestCheck = Check<unknown> & { names?: string[] }
/** A value with a check, found by the validation. */
type Found = { check: RequestCheck; value: unknown; pointer: string }

/** The context of a validation is the list of the checks that it finds. */
function noteCheck(
  this: unknown,
  check: RequestCheck,
  value: unknown,
  _schema: unknown,
  cxt?: DataValidationCxt,
): boolean {
  if (value !== null) (this as Found[]).push({ check, value, pointer: cxt!.instancePath })
  return true
}

/**
 * @returns a function that throws ApiError `validation_failed` with every invalid field by `pointer`, including `extra`
 * errors. Without a context, the schema must have no checks that use it.
 */
export function bodyValidator(
  schema: TSchema,
): (body: unknown, ctx: Ctx | null, extra?: FieldError[]) => Promise<void> {
  return async (body, ctx, extra = []) => {
    const checks: Found[] = []
    const isHuge = holdsMany(body)
    const validate = (isHuge ? hugeBodies : bodies).compile(schema)
    const errors = validate.call(checks, body) ? [] : faults(validate, (pointer) => ({ pointer }))
    if (checks.length > 0 && !(isHuge && errors.length > 0))
      errors.push(...(await faultsOfChecks(checks, errors, ctx)))
    errors.push(...extra)
    if (errors.length > 0) throw invalidFields(body, errors)
  }
}

/** The faults of the values that have no other one, one for each place. */
async function faultsOfChecks(checks: Found[], known: FieldError[], ctx: Ctx | null): Promise<FieldError[]> {
  const errors = new Map<string, FieldError>()
  for (const { check, value, pointer } of checks) {
    const parts = check.names?.map((name) => `${pointer}/${name}`) ?? [pointer]
    const prevents = (faulty: string) => faulty === pointer || parts.some((part) => isWithin(faulty, part))
    if (known.some((fault) => 'pointer' in fault && prevents(fault.pointer!))) continue
    for (const { pointer: part = '', code, detail } of await check(value, ctx!))
      errors.set(pointer + part, { pointer: pointer + part, code, detail })
    if (errors.size > maxErrors) break
  }
  return [...errors.values()]
}

const isWithin = (pointer: string, whole: string) => pointer === whole || pointer.startsWith(`${whole}/`)

/** 422 with at most 100 of the invalid fields; `params` says whether there may be more. */
export function invalidFields(body: unknown, errors: FieldError[]): ApiError {
  const hasMore = errors.length > maxErrors || holdsMany(body) // of these, only the first fault is known
  const params = hasMore ? { has_more_errors: true } : {}
  return new ApiError('validation_failed', params, { errors: errors.slice(0, maxErrors) })
}

/** @throws ApiError `invalid_query` with every invalid parameter; converts strings of `query` to their types */
export function queryValidator(schema: TSchema): (query: Record<string, unknown>) => void {
  const members = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  const ofType = (asked: string) =>
    Object.entries(members)
      .filter(([, { type }]) => type === asked)
      .map(([name]) => name)
  const integers = ofType('integer')
  const lists = ofType('array')
  return (query) => {
    for (const name of lists) if (typeof query[name] === 'string') query[name] = [query[name]]
    for (const name of integers) {
      const text = query[name]
      if (typeof text === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(text)) query[name] = Number(text)
    }
    const validate = queries.compile(schema)
    if (validate(query)) return
    const errors = faults(validate, (pointer) => ({
      parameter: unescapePointer(pointer.split('/')[1]!),
    })).map(ofParameter(Object.keys(members)))
    throw new ApiError('invalid_query', {}, { errors: errors.slice(0, maxErrors) })
  }
}

/** The words for query parameters. */
const ofParameter =
  (names: string[]) =>
  (fault: FieldError): FieldError => {
    if (fault.code !== 'unknown_field') return fault
    const [, hint] = fault.detail.split('; ') // after the fields, which are the parameters
    const known = names.length > 0 ? `the parameters are ${names.join(', ')}` : 'there are none'
    return { ...fault, detail: `is not a parameter of this request; ${hint ?? known}` }
  }

/** True for a body of more than 2,000 values. */
export function holdsMany(body: unknown): boolean {
  const rest = [body]
  for (let seen = 0; rest.length > 0; seen++) {
    if (seen + rest.length > manyValues) return true
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    const members = Array.isArray(value) ? value : Object.values(value)
    if (members.length > manyValues) return true
    rest.push(...members)
  }
  return false
}

function faults(
  validate: ValidateFunction,
  name: (pointer: string) => { pointer: string } | { parameter: string },
): FieldError[] {
  const found = new Map<string, Fault>()
  const hints = { left: maxHints }
  for (const error of validate.errors ?? []) {
    const fault = explain(error, hints)
    if (!fault) continue
    const pointer = fault.pointer.slice(0, maxPointerLength).toWellFormed()
    const earlier = found.get(pointer)
    if (!earlier && found.size > maxErrors) break
    if (!earlier || weight(fault) > weight(earlier)) found.set(pointer, fault)
  }
  return [...found].map(([pointer, { code, detail }]) => ({ ...name(pointer), code, detail }))
}

/** A field that breaks several rules is reported once, by the most specific one. */
const weights: Partial<Record<FieldErrorCode, number>> = {
  wrong_type: 3,
  not_allowed: 2,
  too_long: 1,
  too_short: 1,
}
const weight = ({ code }: Fault) => weights[code] ?? 0

type Fault = { pointer: string; code: FieldErrorCode; detail: string }

/** Hints about long lists of values that a response may still have: each costs time and length. */
type Hints = { left: number }
const maxHints = 3
const manyChoices = 20

/** The API's description of an Ajv error; null for errors that only summarize others. */
function explain(error: ErrorObject, hints: Hints): Fault | null {
  const { keyword, params, instancePath, parentSchema } = error
  const at = (code: FieldErrorCode, detail: string, member?: string): Fault => ({
    pointer: member === undefined ? instancePath : `${instancePath}/${escapePointer(member)}`,
    code,
    detail,
  })
  const ofName = error.propertyName !== undefined
  const subject = ofName ? 'has a name that ' : ''
  const member = error.propertyName
  switch (keyword) {
    case 'required':
      return at('required', 'is required', params.missingProperty)
    case 'additionalProperties': {
      const { additionalProperty: name } = params
      return at('unknown_field', unknownField(name, parentSchema as ClosedObject, hints), name)
    }
    case 'type':
      return at('wrong_type', `must be ${[params.type].flat().map(typeName).join(' or ')}`)
    case 'minLength':
      return at('too_short', `${subject}${leastCharacters(params.limit)}`, member)
    case 'maxLength':
      return at('too_long', `${subject}must have at most ${mostOf(error)}`, member)
    case 'minItems':
      return at(
        'too_short',
        params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`,
      )
    case 'maxItems':
      return at('too_long', `must have at most ${params.limit} items`)
    case 'minProperties':
      return at(
        'too_short',
        params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} members`,
      )
    case 'maxProperties':
      return at('too_long', `must have at most ${params.limit} members`)
    case 'minimum':
      return at('too_small', `must be at least ${params.limit}`)
    case 'maximum':
      return at('too_large', `must be at most ${params.limit}`)
    case 'enum':
      return at('not_allowed', choiceOf(params.allowedValues, error.data, hints))
    case 'const':
      return at('not_allowed', `must be ${params.allowedValue}`)
    case 'discriminator':
      return faultOfTag(error)
    case 'uniqueItems':
      return at('not_allowed', 'must not contain duplicates')
    case 'format':
      return at('bad_format', formatNames[params.format] ?? `must be a ${params.format}`)
    case 'pattern':
      return isBlank(error)
        ? at('blank', 'must not be white space alone')
        : at('bad_format', `${subject}${patternDetail(error)}`, member)
    default:
      return null
  }
}

type ClosedObject = TSchema & {
  properties?: object
  [advice]?: Record<string, string>
  [fixedNames]?: string[]
  [formerNames]?: Record<string, string[]>
}

/** Says what the client probably meant: by advice on this field, by its former name, by the nearest spelling. */
function unknownField(
  name: string,
  { properties = {}, [advice]: advised, [fixedNames]: fixed, [formerNames]: former }: ClosedObject,
  hints: Hints,
): string {
  const known = Object.keys(properties)
  const given = advised && Object.hasOwn(advised, name) ? `; ${advised[name]}` : null
  if (fixed?.includes(name)) return given === null ? 'cannot be changed' : `cannot be changed here${given}`
  const replacing = former && Object.hasOwn(former, name) ? former[name]!.join(' and ') : null
  const meant = replacing ?? nearest(name, known)
  return `is not a field of this request${fieldsOf(known, hints)}${given ?? (meant ? `; did you mean ${meant}?` : '')}`
}

/** The fields that there are, if they are few, and the response has not listed some several times already. */
function fieldsOf(known: string[], hints: Hints): string {
  if (known.length > manyChoices || hints.left === 0) return ''
  hints.left--
  return known.length === 0 ? ', which has none' : `, which has ${known.join(', ')}`
}

/** A long list helps nobody: the value that was probably meant does. */
function choiceOf(allowed: unknown[], given: unknown, hints: Hints): string {
  const values = allowed.filter((value) => value !== null).map(String)
  if (values.length <= manyChoices) return `must be one of ${values.join(', ')}`
  if (hints.left === 0) return 'is not one of the possible values'
  hints.left--
  const meant = typeof given === 'string' ? nearest(given, values) : null
  return meant
    ? `is not one of the possible values; did you mean ${meant}?`
    : `must be one of ${values.join(', ')}`
}

/** The member that selects one of several objects is missing or selects none of them. */
function faultOfTag({ params, data, instancePath, parentSchema }: ErrorObject): Fault {
  const { tag, tagValue } = params
  const pointer = `${instancePath}/${escapePointer(tag)}`
  if (!Object.hasOwn(data as object, tag)) return { pointer, code: 'required', detail: 'is required' }
  if (typeof tagValue !== 'string') return { pointer, code: 'wrong_type', detail: 'must be a string' }
  const variants = (parentSchema as { oneOf: { properties: Record<string, { enum: string[] }> }[] }).oneOf
  const known = variants.flatMap(({ properties }) => properties[tag]!.enum)
  return { pointer, code: 'not_allowed', detail: `must be one of ${known.join(', ')}` }
}

/** The longest text, in ids if it lists them. */
function mostOf({ params, parentSchema }: ErrorObject): string {
  const { [mostIds]: ids } = (parentSchema ?? {}) as { [mostIds]?: number }
  return ids === undefined ? `${params.limit} characters` : `${ids} ids`
}

const leastCharacters = (limit: number) =>
  limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`

const formatNames: Record<string, string> = {
  'date-time': 'must be an RFC 3339 date-time',
}

const typeNames: Record<string, string> = { integer: 'an integer', object: 'an object', array: 'a list' }
const typeName = (type: string) => typeNames[type] ?? (type === 'null' ? 'null' : `a ${type}`)

/** Is it white space alone, where the schema asks for a visible character? */
const isBlank = ({ data, params: { pattern } }: ErrorObject) =>
  (pattern === visible || pattern === trimmed) && typeof data === 'string' && data.trim() === ''

function patternDetail(error: ErrorObject): string {
  const { examples, [choices]: values } = (error.parentSchema ?? {}) as {
    examples?: unknown[]
    [choices]?: readonly string[]
  }
  if (values) return `must be one or more of ${values.join(', ')}, separated by commas`
  const [, prefix] = /^\^([a-z]+)_\[0-7\]/.exec(error.params.pattern) ?? []
  if (prefix)
    return `must be the id of ${withArticle(nounOf(typeOfPrefix(prefix)))}: ${prefix}_ and 26 characters`
  const [, words, ofOther] = /^\^\(((?:[a-z]+\|)+)([a-z]+)_/.exec(error.params.pattern) ?? []
  if (words) {
    const noun = withArticle(nounOf(typeOfPrefix(ofOther!)))
    return `must be ${words.slice(0, -1).replaceAll('|', ', ')} or the id of ${noun}`
  }
  if (typeof error.data === 'string' && /[\0\p{Cs}]/u.test(error.data))
    return 'must not contain NUL or a lone surrogate'
  if (error.params.pattern === trimmed) return 'must not begin or end with white space'
  return examples?.length ? `must have another form, for example ${examples[0]}` : `must match ${error.params.pattern}`
}

/** A member's name as a segment of a JSON Pointer (RFC 6901 section 3). */
export const escapePointer = (member: string) => member.replaceAll('~', '~0').replaceAll('/', '~1')
const unescapePointer = (text: string) => text.replaceAll('~1', '/').replaceAll('~0', '~')
