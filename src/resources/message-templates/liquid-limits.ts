import vm from 'node:vm'
import { LiquidError } from 'liquidjs'
import type { FieldErrorCode } from '../../lib/errors.ts'

/** What is wrong with a template, in words for whoever wrote it. */
export class TemplateFault extends Error {
  override name = 'TemplateFault'
  readonly code: FieldErrorCode

  constructor(detail: string, code: FieldErrorCode = 'bad_format') {
    super(detail)
    this.code = code
  }
}

/** Steps, units of work and this time are far above what any message needs; who exceeds them means harm. */
const maxMs = 100
let box: vm.Context | undefined
const script = new vm.Script('job()')

/** Runs a function that has no effects; it is ended, wherever it is, when its time is over. */
export function withinTime<Result>(job: () => Result): Result {
  box ??= vm.createContext(Object.create(null))
  box.job = job
  try {
    return script.runInContext(box, { timeout: maxMs })
  } finally {
    box.job = null
  }
}

const maxDetailLength = 300

/** What Liquid threw as a fault of the template, with the place; never a stack, a path or a message of the engine. */
export function faultOf(error: unknown): TemplateFault {
  if (error instanceof TemplateFault) return error
  if (isTimeout(error)) return tooMuch('')
  if (!LiquidError.is(error)) {
    if (isEngineError(error)) return new TemplateFault(engineDetail(error))
    throw error
  }
  const place = / ?,? line:(\d+), col:(\d+)$/.exec(error.message)
  const where = place ? ` (line ${place[1]}, column ${place[2]})` : ''
  const cause = error.originalError ?? error
  if (cause instanceof TemplateFault) return new TemplateFault(cause.message + where, cause.code)
  if (cause.message.startsWith('memory alloc limit')) return tooMuch(where)
  const detail = isEngineError(cause)
    ? engineDetail(cause)
    : error.message.slice(0, place?.index).slice(0, maxDetailLength).toWellFormed()
  return new TemplateFault(detail + where)
}

const tooMuch = (where: string) => new TemplateFault(`takes too much work to render${where}`, 'too_large')

const isTimeout = (error: unknown) =>
  (error as { code?: string } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Thrown by JavaScript itself, in words that say nothing to the author of a template. */
const isEngineError = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError || error instanceof URIError

const engineDetail = (error: Error) =>
  /call stack/.test(error.message)
    ? 'is nested too deeply'
    : 'gives a filter or tag a value that it cannot take'
