import { typeId } from '../../../platform/kernel/ids.ts'
import { read, write } from '../../../platform/resource/resource.ts'
import {
  Enum,
  Flag,
  Id,
  Int,
  KnownLanguage,
  Name,
  Nullable,
  PartialShape,
  Shape,
  Text,
  TimeZone,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { updateEndUser } from '../../people/end-users/actions.ts'
import { type EndUser, endUserTable, idsOfEndUser } from '../../people/end-users/queries.ts'
import { CustomFields, CustomFieldsPatch } from '../../properties/custom-fields/values/schema.ts'
import { valuesForEndUser } from '../../properties/custom-fields/values/shown.ts'
import { tokenHolderOf } from '../../vocabulary/principal.ts'
import { viewerOf } from '../people/queries.ts'
import { countUnreadOf } from './queries.ts'

const changeable = {
  name: Nullable(Name(200, { description: 'The name; null if it is unknown.' })),
  language: Nullable(KnownLanguage({ examples: ['pt-BR'] }), {
    description: 'The preferred language as a BCP 47 tag.',
  }),
  timezone: Nullable(TimeZone(), {
    description: 'The time zone as an IANA name.',
  }),
}

/** Only fields that are open to end users. */
const custom_fields = CustomFieldsPatch()

type MeProfile = EndUser & { unread_count: number }

const profileExample = {
  id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'end_user',
  external_id: 'user_42',
  name: 'Grace Hopper',
  email: 'grace@example.com',
  verified: true,
  language: 'en',
  timezone: 'America/New_York',
  unread_count: 1,
  custom_fields: {},
}

const meProfileWire = defineWire<MeProfile>({
  name: 'MeProfile',
  schema: Shape({
    id: Id('eu'),
    object: Enum(['end_user']),
    external_id: Nullable(Text(1, 255), { description: "The end user's id in your system." }),
    name: changeable.name,
    email: Nullable(Text(1, 254), { description: 'The main e-mail address, verified or not.' }),
    verified: Flag({ description: 'Whether the identity was proved by a JWT.' }),
    language: changeable.language,
    timezone: changeable.timezone,
    unread_count: Int(0, 2147483647, {
      description: 'The number of unread messages from operators, in all own conversations together.',
    }),
    custom_fields: CustomFields(),
  }),
  example: profileExample,
  present: (row) => ({
    id: typeId('eu', row.id),
    object: 'end_user',
    external_id: row.external_id,
    name: row.name,
    email: row.emails[0]?.address ?? null,
    verified: row.verified_at !== null,
    language: row.language,
    timezone: row.timezone,
    unread_count: row.unread_count,
    custom_fields: valuesForEndUser(row.custom_fields),
  }),
})

const MeProfilePatch = PartialShape({ ...changeable, custom_fields })

const unreadOf = async (ctx: Ctx, id: string): Promise<number> => {
  const { db, env } = ctx
  const ids = await idsOfEndUser(db, env.tenantId, id)
  return countUnreadOf(db, env.tenantId, ids, tokenHolderOf(ctx)!.conversationId)
}

export const profileRoutes = [
  read({
    path: '/me',
    name: 'getMe',
    summary: 'Get the end user of the token',
    description:
      'Returns the person for whom the token was made; after a merge, the end user that remains. For a session that is bound to a conversation, `unread_count` is that of the conversation.',
    credential: 'end_user_token',
    reply: meProfileWire,
    versioned: false,
    handle: async (ctx) => {
      const { id } = await viewerOf(ctx)
      const [found, unread_count] = await Promise.all([
        endUserTable.find(ctx.db, ctx.env.tenantId, id),
        unreadOf(ctx, id),
      ])
      return found && { ...found, unread_count }
    },
  }),
  write({
    method: 'PATCH',
    path: '/me',
    name: 'updateMe',
    summary: 'Update the end user of the token',
    description: 'Changes what end users may say of themselves; nothing of it is verified.',
    credential: 'end_user_token',
    body: MeProfilePatch,
    bodyExample: { language: 'de' },
    reply: meProfileWire,
    replyExample: { ...profileExample, language: 'de' },
    versionOf: null,
    handle: async (change, { body }) => {
      const { id } = await viewerOf(change.ctx)
      const unread_count = await unreadOf(change.ctx, id)
      return { ...(await updateEndUser(change, id, body)), unread_count }
    },
  }),
]
