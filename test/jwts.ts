import { createHmac } from 'node:crypto'

/* Signs JWTs by hand, so that tests share no code with the server. */

type Json = Record<string, unknown>

export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function signedJwt(head: Json, claims: Json, sign: (data: Buffer) => Buffer): string {
  const data = `${encoded(head)}.${encoded(claims)}`
  return `${data}.${sign(Buffer.from(data)).toString('base64url')}`
}

export const bySecret =
  (secret: string) =>
  (data: Buffer): Buffer =>
    createHmac('sha256', secret).update(data).digest()
