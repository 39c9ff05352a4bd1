import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signedJwt } from './jwts.ts'

/* An OpenID provider whose responses tests choose: those that a sound provider never sends. */

type Json = Record<string, unknown>

export type Replies = {
  /** Members of the discovery document; undefined removes one. */
  discovery: Json
  head: Json
  /** Claims of the ID token besides `iss`, `sub`, `iat` and `exp`. */
  claims: Json
  /** Null without a UserInfo endpoint. */
  userInfo: Json | null
  signature: 'right' | 'of another key' | 'none'
  /** The status and body of the token endpoint, instead of tokens. */
  token: { status: number; body: string } | null
  /** Paths that get no response. */
  silent: string[]
}

/** The times that a path was requested, and the parameters of the latest token request. */
export type Seen = { counts: Map<string, number>; token: URLSearchParams; authorization: string | undefined }

export type ForgedProvider = {
  issuer: string
  replies: Replies
  seen: Seen
  reset(): void
  /** Closes it and all of its connections. */
  stop(): Promise<void>
  /** Listens on the same port again. */
  restart(): Promise<void>
}

export const forgedClient = { clientId: 'backline', clientSecret: 'a+b/c=~d-e_f.secret' }

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const [key, otherKey] = [keyPair(), keyPair()]

const sound = (): Replies => ({
  discovery: {},
  head: { alg: 'ES256', kid: 'first' },
  claims: { aud: forgedClient.clientId, email: 'ada@example.com', email_verified: true },
  userInfo: null,
  signature: 'right',
  token: null,
  silent: [],
})

export async function forgedProvider(): Promise<ForgedProvider> {
  const self: ForgedProvider = {
    issuer: '',
    replies: sound(),
    seen: unseen(),
    reset() {
      self.replies = sound()
      self.seen = unseen()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    async restart() {
      server = await listening(self, Number(new URL(self.issuer).port))
    },
  }
  let server = await listening(self, 0)
  self.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return self
}

const unseen = (): Seen => ({ counts: new Map(), token: new URLSearchParams(), authorization: undefined })

async function listening(self: ForgedProvider, port: number): Promise<Server> {
  const server = createServer((request, response) => void respond(self, request, response)).unref()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function respond(
  { issuer, replies, seen }: ForgedProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url!
  seen.counts.set(path, (seen.counts.get(path) ?? 0) + 1)
  if (replies.silent.includes(path)) return
  const send = (status: number, body: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  if (path === '/.well-known/openid-configuration') return void send(200, discovery(issuer, replies))
  if (path === '/jwks') {
    const jwk = { ...key.publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'ES256' }
    return void send(200, JSON.stringify({ keys: [jwk] }))
  }
  if (path === '/userinfo') return void send(200, JSON.stringify(replies.userInfo))
  let text = ''
  for await (const chunk of request) text += chunk
  seen.token = new URLSearchParams(text)
  seen.authorization = request.headers.authorization
  const { token } = replies
  if (token) return void send(token.status, token.body)
  const tokens = {
    access_token: 'access',
    token_type: 'Bearer',
    expires_in: 60,
    id_token: idToken(issuer, replies),
  }
  send(200, JSON.stringify(tokens))
}

const discovery = (issuer: string, { discovery, userInfo }: Replies): string =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...(userInfo ? { userinfo_endpoint: `${issuer}/userinfo` } : {}),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    ...discovery,
  })

function idToken(issuer: string, { head, claims, signature }: Replies): string {
  const now = Math.floor(Date.now() / 1000)
  const whole = { iss: issuer, sub: 'user-1', iat: now, exp: now + 60, ...claims }
  const signer = signature === 'of another key' ? otherKey : key
  return signedJwt(head, whole, (data) =>
    signature === 'none'
      ? Buffer.alloc(0)
      : sign('sha256', data, { key: signer.privateKey, dsaEncoding: 'ieee-p1363' }),
  )
}
