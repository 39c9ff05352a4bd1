import type { S3Settings } from './settings.ts'
import { StoreUnavailable } from './store.ts'

/** The store failed in a way that a second attempt may not. */
export class Transient extends StoreUnavailable {}

const prefix = 'BACKLINE_FILES_S3_'
const inRegion = `correct ${prefix}REGION`

/** Error codes of S3 that an administrator can mend ("Error responses", Amazon S3 API Reference). */
const remedies: Record<string, string> = {
  NoSuchBucket: `create the bucket, or correct ${prefix}BUCKET`,
  InvalidBucketName: `correct ${prefix}BUCKET`,
  AllAccessDisabled: `correct ${prefix}BUCKET`,
  InvalidAccessKeyId: `correct ${prefix}ACCESS_KEY_ID`,
  SignatureDoesNotMatch: `correct ${prefix}SECRET_ACCESS_KEY`,
  RequestTimeTooSkewed: 'set the clock of this machine to network time (NTP)',
  AuthorizationHeaderMalformed: inRegion,
  AuthorizationQueryParametersError: inRegion,
  PermanentRedirect: inRegion,
  TemporaryRedirect: inRegion,
  IllegalLocationConstraintException: inRegion,
  QuotaExceeded: 'raise the quota of the bucket',
  XMinioStorageFull: 'free some space on the store',
}
const rights = `give the key in ${prefix}ACCESS_KEY_ID the rights s3:GetObject, s3:PutObject and s3:DeleteObject on`
const passing = 'the store may recover; otherwise see its log'

const placeOf = ({ bucket, endpoint }: S3Settings) =>
  `the bucket ${bucket}${endpoint ? ` at ${endpoint}` : ' of AWS'}`

/** For a response that reports an error: its status and its code, never its text, which contains signatures. */
export function errorOf(settings: S3Settings, status: number, code: string | null): StoreUnavailable {
  const message = (remedy: string) =>
    `${placeOf(settings)} (${status}${code === null ? '' : ` ${code}`}): ${remedy}`
  const remedy = remedies[code ?? '']
  if (remedy) return new StoreUnavailable(message(remedy))
  if (status === 401 || status === 403)
    return new StoreUnavailable(message(`${rights} arn:aws:s3:::${settings.bucket}/*`))
  if (status >= 300 && status < 400) return new StoreUnavailable(message(inRegion))
  if (status === 404) return new StoreUnavailable(message(`correct ${prefix}ENDPOINT or ${prefix}BUCKET`))
  return status >= 500 || status === 429 || status === 200
    ? new Transient(message(passing))
    : new StoreUnavailable(message('see the log of the store'))
}

/** For a request without a response. */
export function unreachable(settings: S3Settings, error: NodeJS.ErrnoException): StoreUnavailable {
  const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : error.message
  const isName = /ENOTFOUND|EAI_AGAIN/.test(error.code ?? '')
  const remedy = settings.endpoint
    ? `correct ${prefix}ENDPOINT, or start the store`
    : isName
      ? `correct ${prefix}REGION, or connect this machine to AWS`
      : 'connect this machine to AWS'
  return new Transient(`${placeOf(settings)} cannot be reached (${reason}): ${remedy}`, { cause: error })
}

export const tooSlow = (settings: S3Settings, whatIsLate: string): StoreUnavailable =>
  new StoreUnavailable(`${placeOf(settings)} does not answer (${whatIsLate}): ${passing}`)

/** `<Code>` of an error document, or null. */
export const codeIn = (document: string): string | null =>
  /<Error(?:\s[^>]*)?>.*?<Code>([A-Za-z0-9.]{1,100})<\/Code>/s.exec(document)?.[1] ?? null
