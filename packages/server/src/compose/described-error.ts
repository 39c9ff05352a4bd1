/** An error as the log shows it. */
export type DescribedError = {
  type: string
  message: string
  /** The code of a system error, or the SQLSTATE of PostgreSQL. */
  code?: string
  constraint?: string
  stack?: string
  cause?: DescribedError
}

const longestMessage = 500
const deepestCause = 5

/**
 * Describes an error without the data that it was about. PostgreSQL puts values into `detail`, `where` and the messages
 * of data exceptions, parsers put the text into theirs; other properties of an error can be anything.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: messageOf(error, code).slice(0, longestMessage),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(frames ? { stack: frames.join('\n') } : {}),
    ...(error.cause !== undefined && depth < deepestCause
      ? { cause: describeError(error.cause, depth + 1) }
      : {}),
  }
}

/** Class 22 of SQLSTATE: data exceptions. */
const isDataException = (code: unknown) => typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)

function messageOf(error: Error, code: unknown): string {
  const { name, message } = error
  if (error instanceof AggregateError)
    return error.errors.map((each) => messageOf(each, each.code)).join(', ')
  if (name === 'SyntaxError') return 'the text could not be parsed'
  // PostgreSQL quotes values after a colon, and names of types and columns before it.
  return isDataException(code) ? message.replace(/:.*$/s, '').replace(/"[^"]*"/g, '"…"') : message
}
