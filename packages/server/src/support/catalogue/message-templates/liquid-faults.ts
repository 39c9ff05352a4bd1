import { LiquidError } from 'liquidjs'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'

/** An error in a template, with a message for its author. */
export class TemplateFault extends Error {
  override name = 'TemplateFault'
  readonly code: FieldErrorCode

  constructor(detail: string, code: FieldErrorCode = 'bad_format') {
    super(detail)
    this.code = code
  }
}

const maxDetailLength = 300

/**
 * Converts an error of Liquid to one of the template, with its place and without stack, path or internal message.
 */
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

/** The end of Liquid's error messages. */
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

/** An error of JavaScript, whose message does not help the author of a template. */
const isEngineError = (error: Error): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof URIError

const engineDetail = (error: Error) =>
  /call stack/.test(error.message) ? 'is nested too deeply' : 'passes an invalid value to a filter or tag'
