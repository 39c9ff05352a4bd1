import { type Instant, plusSeconds } from '../../platform/kernel/clock.ts'
import { type SecretBox, SecretBoxError } from '../../platform/kernel/secret-box.ts'

/*
 * The link to a file that is too large for a mail names environment, file and end in a sealed token: whoever has the
 * link reads this one file for 30 days, and nobody can make such a link.
 */

const place = 'emailed file'
const validSeconds = 30 * 24 * 3_600

export const emailedFileToken = (box: SecretBox, tenantId: string, fileId: string, now: Instant): string =>
  box.sealToken(`${tenantId}/${fileId}/${plusSeconds(now, validSeconds)}`, place).toString('base64url')

/** Null for a token that this server has not made. */
export async function readEmailedFileToken(
  box: SecretBox,
  token: string,
): Promise<{ tenantId: string; fileId: string; until: Instant } | null> {
  try {
    const sealed = Buffer.from(token, 'base64url')
    if (sealed.toString('base64url') !== token) return null // the decoder ignores what it does not know
    const [tenantId, fileId, until] = (await box.open(sealed, place)).split('/')
    return { tenantId: tenantId!, fileId: fileId!, until: until as Instant }
  } catch (error) {
    if (error instanceof SecretBoxError) return null
    throw error
  }
}
