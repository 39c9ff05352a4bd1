import { ApiError } from '../../platform/kernel/errors.ts'

const bearer = { headers: { 'www-authenticate': 'Bearer' } }

/** @param reason why the publishable key, end-user token or JWT proves nothing */
export const invalidIdentity = (reason: string) => new ApiError('identity_invalid', { reason }, bearer)

/** @param reason why a cookie or a link gives no session of the console */
export const consoleSessionInvalid = (
  reason: 'missing' | 'malformed' | 'unknown' | 'expired' | 'revoked' | 'used' | 'no_operator',
) => new ApiError('console_session_invalid', { reason }, bearer)
