import { typeId } from '../../../platform/kernel/ids.ts'
import {
  CreatedAt,
  Email,
  Enum,
  Id,
  Int,
  KnownLanguage,
  type Members,
  Name,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
  TrimmedText,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { Session } from './queries.ts'

export const minSeconds = 60
export const maxSeconds = 86_400
export const defaultSeconds = 3_600

const Token = () =>
  Text(1, 100, {
    description: 'The end-user token, which opens what this end user may see. Shown only once.',
  })

const shown = {
  id: Id('eus'),
  object: Enum(['end_user_session']),
  end_user_id: Id('eu', {
    description: 'The end user that the session belongs to: after a merge, the one that remains.',
  }),
  conversation_id: Nullable(Id('conv'), {
    description: 'The only conversation that the session can see; null for all of the end user.',
  }),
  created_by: Enum(['key', 'jwt', 'anonymous'], {
    description:
      '`key`: a secret key minted it. `jwt`: it was exchanged for a verified JWT. `anonymous`: a visitor started it.',
  }),
  expires_at: Timestamp({ description: 'The time from which the token is refused.' }),
  revoked_at: Nullable(Timestamp(), { description: 'The time at which the session was revoked.' }),
  last_used_at: Nullable(Timestamp(), {
    description: 'The time of the last request with the token, updated at most once a minute.',
  }),
  ...revision,
  created_at: CreatedAt(),
}

export const sessionExample = {
  id: 'eus_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'end_user_session',
  end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
  conversation_id: null,
  created_by: 'key',
  expires_at: '2026-11-20T10:30:00.000Z',
  revoked_at: null,
  last_used_at: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 1,
}

const present = (row: Session) => ({
  ...row,
  id: typeId('eus', row.id),
  object: 'end_user_session',
  end_user_id: typeId('eu', row.holder_id),
  conversation_id: row.conversation_id && typeId('conv', row.conversation_id),
})

export const sessionWire = defineWire<Session>({
  name: 'EndUserSession',
  schema: Shape(shown),
  example: sessionExample,
  present,
})

export type SessionWithToken = Session & { token: string }

/** The only response with the token. */
export const sessionWithTokenWire = defineWire<SessionWithToken>({
  name: 'EndUserSessionWithToken',
  schema: Shape({ ...shown, token: Token() }),
  example: { ...sessionExample, token: `bkl_eut_live_${'0'.repeat(50)}` },
  present,
})

const NewSessionShape = Shape({
  end_user_id: Optional(Id('eu', { description: 'The end user; or use `external_user_id`.' })),
  external_user_id: Optional(
    TrimmedText(255, {
      description: "The end user's id in your system. An end user with this id is created if there is none.",
    }),
  ),
  expires_in_seconds: Optional(
    Int(minSeconds, maxSeconds, {
      default: defaultSeconds,
      description: 'The lifetime of the session, and of each one that renews it.',
    }),
  ),
  conversation_id: Optional(
    Nullable(Id('conv'), {
      description: 'A conversation of the end user: the session can then see no other; null for all.',
    }),
  ),
})

/** The end user is named by one of its ids. */
export const NewSession = WithCheck(
  NewSessionShape,
  ({ end_user_id, external_user_id }) => {
    if (end_user_id === undefined && external_user_id === undefined)
      return [
        { pointer: '/end_user_id', code: 'required', detail: 'is required unless external_user_id is set' },
      ]
    if (end_user_id === undefined || external_user_id === undefined) return []
    return [
      { pointer: '/external_user_id', code: 'not_allowed', detail: 'cannot be combined with end_user_id' },
    ]
  },
  ['end_user_id', 'external_user_id'],
)
export type NewSession = Members<typeof NewSession>

export const Exchange = Shape({
  jwt: Text(1, 131_072, {
    description:
      'A JWT of at most 16 KiB, signed for an identity key. `sub` is the external id of the end user; `exp` is required and at most 24 hours ahead.',
    examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyXzQyIiwiZXhwIjoxNzk1MTcwNjAwfQ.c2lnbmF0dXJl'],
  }),
  previous_token: Optional(
    Nullable(Text(1, 255), {
      description:
        'The token of the anonymous session that the visitor had before signing in. The visitor is merged into the end user, and their sessions end at once; a token that is invalid or belongs to a known person is ignored.',
    }),
  ),
})
export type Exchange = Members<typeof Exchange>

export const Visitor = Shape({
  name: Optional(Nullable(Name(200), { description: 'The name that the visitor gives.' })),
  email: Optional(
    Nullable(Email(), { description: 'The address that the visitor gives; it stays unverified.' }),
  ),
  language: Optional(
    Nullable(KnownLanguage({ examples: ['pt-BR'] }), {
      description: 'The preferred language as a BCP 47 tag.',
    }),
  ),
})
export type Visitor = Members<typeof Visitor>

export const SessionFilters = Shape({
  end_user_id: Optional(
    Id('eu', { description: 'Return only sessions of this end user, and of those merged into it.' }),
  ),
})
