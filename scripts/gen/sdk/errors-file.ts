import { type ErrorCode, errorCatalogue } from '@backline/server/platform/kernel/errors.ts'
import { commentOf } from './types.ts'
import { heading } from './types-file.ts'

/** One kind for each status; keys of idempotency have a kind of their own. */
const kindOfStatus: Record<number, string> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  406: 'NotAcceptableError',
  409: 'ConflictError',
  410: 'VersionRetiredError',
  412: 'PreconditionFailedError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  422: 'ValidationError',
  429: 'RateLimitError',
  500: 'InternalError',
  503: 'UnavailableError',
}

const statusOf = (code: ErrorCode): number => errorCatalogue[code][0]

function kindOf(code: ErrorCode): string {
  const kind = code.startsWith('idempotency_key_') ? 'IdempotencyError' : kindOfStatus[statusOf(code)]
  if (!kind) throw new Error(`Errors with status ${statusOf(code)} need a class: ${code}`)
  return kind
}

/** `errors.generated.ts`: a class for each kind of error of the API. */
export function errorsFile(): string {
  const kinds = Map.groupBy(Object.keys(errorCatalogue) as ErrorCode[], kindOf)
  const classes = [...kinds].map(([name, codes]) => {
    const documentation = codes.map((code) => `- \`${code}\`: ${errorCatalogue[code][1]}.`).join('\n')
    const literals = codes.map((code) => `'${code}'`)
    const status = name === 'IdempotencyError' ? 'null' : String(statusOf(codes[0]!))
    return `${commentOf(documentation)}export class ${name} extends ApiError<${literals.join(' | ')}> {
  static readonly codes: readonly string[] = [${literals.join(', ')}]
  /** The status of all errors of this kind; null if they have several. */
  static readonly status: number | null = ${status}
  override name = '${name}'
}
`
  })
  return `${heading}
import { ApiError } from './errors.ts'

${classes.join('\n')}`
}
