import { typeId } from '../../../platform/kernel/ids.ts'
import { parseCidr } from '../../../platform/kernel/networks.ts'
import {
  Enum,
  Id,
  Int,
  List,
  type Members,
  Name,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
  Type,
  type ValueFault,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { allScopes } from '../../vocabulary/scopes.ts'
import type { ApiKey } from './queries.ts'

export const maxGraceSeconds = 604_800
/** Long enough for a client that rotates its own key to retry after a lost response. */
export const defaultGraceSeconds = 60

const Cidr = () =>
  WithCheck(
    Type.String({
      maxLength: 49,
      pattern: '^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$',
      examples: ['203.0.113.0/24'],
    }),
    (text) =>
      parseCidr(text) ? [] : [{ code: 'bad_format', detail: 'must be a CIDR block or an IP address' }],
  )

/** The form in which browsers send an origin: scheme, host and port, without a path. */
const Origin = () =>
  WithCheck(
    Type.String({
      maxLength: 300,
      pattern:
        '^([Hh][Tt][Tt][Pp][Ss]://[0-9A-Za-z.\\-]+|[Hh][Tt][Tt][Pp]://[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt])(:[0-9]{1,5})?$',
      examples: ['https://shop.example.com'],
    }),
    (text) => (URL.canParse(text) ? [] : [{ code: 'bad_format', detail: 'must be an origin' }]),
  )

const fields = {
  kind: Enum(['secret', 'publishable'], {
    description:
      '`secret` keys have scopes and stay on your servers. `publishable` keys can be part of a web page or an app: they have no scopes and only start sessions of end users.',
  }),
  name: Name(100, { description: 'What uses the key. Need not be unique.' }),
  scopes: List(Enum(allScopes as [string, ...string[]]), 100, {
    description: 'The scopes granted to the key: at least one for a secret key, none for a publishable key.',
  }),
  allowed_cidrs: List(Cidr(), 100, {
    description: 'The networks the key may be used from; empty means any.',
  }),
  allowed_origins: List(Origin(), 50, {
    description:
      'The origins of the web pages that may use a publishable key, as `https://host[:port]` or `http://localhost[:port]`; empty means none: only requests without `Origin`, which browsers always send. Empty for secret keys.',
  }),
  expires_at: Nullable(Timestamp(), {
    description:
      'The time from which the key is refused, which must be in the future when the key is created; null means never.',
  }),
}

const shown = {
  id: Id('key'),
  object: Enum(['api_key']),
  ...fields,
  secret_hint: Text(1, 64, { description: 'The beginning and end of the secret, to tell keys apart.' }),
  last_used_at: Nullable(Timestamp(), {
    description: 'The time of the last request with this key, updated at most once a minute.',
  }),
  rotated_at: Nullable(Timestamp(), {
    description: 'The time at which the secret was last rotated; null if never.',
  }),
  revoked_at: Nullable(Timestamp(), { description: 'The time at which the key was revoked.' }),
  ...revision,
}

export const apiKeyExample = {
  id: 'key_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'api_key',
  kind: 'secret',
  name: 'Mobile app',
  scopes: ['conversations:read', 'conversations:write'],
  allowed_cidrs: [],
  allowed_origins: [],
  expires_at: null,
  secret_hint: 'bkl_live_…x9Qz',
  last_used_at: null,
  rotated_at: null,
  revoked_at: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 1,
}

const present = (row: ApiKey) => ({ ...row, id: typeId('key', row.id), object: 'api_key' })

export const apiKeyWire = defineWire<ApiKey>({
  name: 'ApiKey',
  schema: Shape(shown),
  example: apiKeyExample,
  present,
})

export type ApiKeyWithSecret = ApiKey & { secret: string }

/** The only response with the secret. */
export const apiKeyWithSecretWire = defineWire<ApiKeyWithSecret>({
  name: 'ApiKeyWithSecret',
  schema: Shape({ ...shown, secret: Text(47, 51, { description: 'The secret, shown only once.' }) }),
  example: { ...apiKeyExample, secret: 'bkl_live_00000000000000000000000000000000000000' },
  present,
})

const members = Shape({
  kind: Optional({ ...fields.kind, default: 'secret' }),
  name: fields.name,
  scopes: Optional(fields.scopes),
  allowed_cidrs: Optional(fields.allowed_cidrs),
  allowed_origins: Optional(fields.allowed_origins),
  expires_at: Optional(fields.expires_at),
})

/** A secret key has scopes, a publishable one origins. */
export const NewApiKey = WithCheck(
  members,
  ({ kind, scopes, allowed_origins: origins = [] }) => {
    const faults: ValueFault[] = []
    if (kind === 'publishable' && scopes !== undefined && scopes.length > 0)
      faults.push({ pointer: '/scopes', code: 'not_allowed', detail: 'must be empty for a publishable key' })
    if (kind !== 'publishable' && scopes === undefined)
      faults.push({ pointer: '/scopes', code: 'required', detail: 'is required for a secret key' })
    if (kind !== 'publishable' && scopes?.length === 0)
      faults.push({ pointer: '/scopes', code: 'too_short', detail: 'must not be empty' })
    if (kind !== 'publishable' && origins.length > 0)
      faults.push({
        pointer: '/allowed_origins',
        code: 'not_allowed',
        detail: 'is for publishable keys only',
      })
    return faults
  },
  ['kind', 'scopes', 'allowed_origins'],
)
export type NewApiKey = Members<typeof NewApiKey>

export const Rotation = Shape({
  grace_seconds: Optional(
    Int(0, maxGraceSeconds, {
      default: defaultGraceSeconds,
      description: 'Seconds for which the previous secret stays valid; 0 invalidates it at once.',
    }),
  ),
})
