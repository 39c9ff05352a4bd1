import { LiquidError } from 'liquidjs'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'

/** What is wrong with a template, in words for whoever wrote it. */
export class TemplateFault extends Error {
  override name = 'TemplateFault'
  readonly code: FieldErrorCode

  constructor(detail: string, code: FieldErrorCode = 'bad_format') {
    super(detail)
    this.code = code
  }
}

const maxDetailLength = 300

/** What Liquid threw as a fault of the template, with the place; never a stack, a path or a message of the engine. */
export function faultOf(error: unknown): TemplateFault {
  if (error instanceof TemplateFault) return error
  if (!LiquidError.is(error)) {
    if (error instanceof Error && isEngineError(error)) return new TemplateFault(engineDetail(error))
    throw error
  }
  const where = placeOf(error)
  const cause = causeOf(error)
  if (cause instanceof TemplateFault) return new TemplateFault(cause.message + where, cause.code)
  if (cause.message.startsWith('memory alloc limit'))
    return new TemplateFault(`takes too much work to render${where}`, 'too_large')
  const detail = isEngineError(cause) ? engineDetail(cause) : cause.message.replace(place, '')
  return new TemplateFault(detail.slice(0, maxDetailLength).toWellFormed() + where)
}

/** How Liquid's errors end. */
const place = / ?, line:(\d+), col:(\d+)$/

function placeOf(error: Error): string {
  const [, line, column] = place.exec(error.message) ?? []
  return line ? ` (line ${line}, column ${column})` : ''
}

/** Errors are wrapped once for each node that they pass. */
function causeOf(error: Error): Error {
  const wrapped = LiquidError.is(error) ? error.originalError : undefined
  return wrapped ? causeOf(wrapped) : error
}

/** Thrown by JavaScript itself, in words that say nothing to the author of a template. */
const isEngineError = (error: Error): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof URIError

const engineDetail = (error: Error) =>
  /call stack/.test(error.message) ? 'is nested too deeply' : 'passes an invalid value to a filter or tag'
