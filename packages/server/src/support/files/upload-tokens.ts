import { type SecretBox, SecretBoxError } from '../../platform/kernel/secret-box.ts'

/*
 * The URL that takes the bytes of a file, where this server takes them itself, names environment and file in a sealed
 * token: whoever has the URL can upload this one file, and nobody can make such a URL.
 */

const place = 'upload'

export const uploadToken = (box: SecretBox, tenantId: string, fileId: string): string =>
  box.sealToken(`${tenantId}/${fileId}`, place).toString('base64url')

/** Null for a token that this server has not made. */
export async function readUploadToken(
  box: SecretBox,
  token: string,
): Promise<{ tenantId: string; fileId: string } | null> {
  try {
    const sealed = Buffer.from(token, 'base64url')
    if (sealed.toString('base64url') !== token) return null // the decoder ignores what it does not know
    const [tenantId, fileId] = (await box.open(sealed, place)).split('/')
    return { tenantId: tenantId!, fileId: fileId! }
  } catch (error) {
    if (error instanceof SecretBoxError) return null
    throw error
  }
}
