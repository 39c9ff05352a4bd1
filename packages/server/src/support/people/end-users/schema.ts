import { typeId } from '../../../platform/kernel/ids.ts'
import { FilterParameter } from '../../../platform/lists/parameters.ts'
import {
  Described,
  Distinct,
  Email,
  Enum,
  Flag,
  Id,
  Int,
  KnownLanguage,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  Timestamp,
  TimeZone,
  TrimmedText,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import {
  CustomFields,
  CustomFieldsPatch,
  NewCustomFields,
} from '../../properties/custom-fields/values/schema.ts'
import { shownValues } from '../../properties/custom-fields/values/shown.ts'
import { statusOf } from './identity.ts'
import { type EndUser, emailKey } from './queries.ts'

export const maxAddresses = 10
export const maxCompanies = 20
const statuses = ['active', 'blocked', 'merged', 'erased'] as const

const Phone = (notes = {}) =>
  Type.String({ maxLength: 16, pattern: '^\\+[1-9][0-9]{1,14}$', examples: ['+493012345678'], ...notes })

const LegalHoldReason = () =>
  Name(500, { description: 'Why data must be kept, such as the reference of a case.' })

const EmailMember = (verified: ReturnType<typeof Flag>) =>
  Shape({
    address: Email({ description: 'The address; compared without regard to case.' }),
    verified: verified as ReturnType<typeof Flag>,
  })
const verifiedNote = {
  description:
    'Whether it is certain that the address belongs to this person. A verified address belongs to one end user alone.',
}

const twice = 'must not be in the list twice'

const fields = {
  external_id: Nullable(TrimmedText(255), {
    description:
      "The end user's id in your system, unique per environment; null for a visitor whom nobody knows. It cannot be changed once it is set.",
  }),
  name: Nullable(Name(200), { description: 'The name; null if it is unknown.' }),
  phones: Distinct(
    List(Phone(), maxAddresses, {
      description: 'Phone numbers in the form of E.164, the main one first.',
    }),
    twice,
  ),
  language: Nullable(KnownLanguage({ examples: ['pt-BR'] }), {
    description: 'The preferred language as a BCP 47 tag.',
  }),
  timezone: Nullable(TimeZone(), {
    description: 'The time zone as an IANA name.',
  }),
  avatar_url: Nullable(
    Type.String({
      maxLength: 2048,
      pattern: '^https://[^\\s\\u0000-\\u001f\\ud800-\\udfff]+$',
      examples: ['https://example.com/ada.png'],
    }),
    { description: 'The https URL of a picture.' },
  ),
  company_ids: List(Id('co'), maxCompanies, { description: 'The companies to which the end user belongs.' }),
}

const emailsNote = 'E-mail addresses, the main one first.'
const Emails = () => List(EmailMember(Flag(verifiedNote)), maxAddresses, { description: emailsNote })
const NewEmails = () =>
  Distinct(
    List(
      Shape({
        address: Email({ description: 'The address; compared without regard to case.' }),
        verified: Optional(Flag({ default: false, ...verifiedNote })),
      }),
      maxAddresses,
      { description: emailsNote },
    ),
    twice,
    ({ address }) => emailKey(address),
    '/address',
  )

export const endUserExample = {
  id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'end_user',
  external_id: 'user_42',
  name: 'Grace Hopper',
  emails: [{ address: 'grace@example.com', verified: true }],
  phones: ['+493012345678'],
  language: 'en',
  timezone: 'America/New_York',
  avatar_url: null,
  company_ids: ['co_01kah1vgm0e1tbm5ye8n2m9q7c'],
  custom_fields: {},
  metadata: { plan: 'pro' },
  status: 'active',
  block: null,
  merged_into_id: null,
  legal_hold: null,
  verified_at: '2026-11-20T09:30:00.000Z',
  last_seen_at: '2026-11-20T10:12:00.000Z',
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 1,
}

export const EndUserSchema = Shape({
  id: Id('eu'),
  object: Enum(['end_user']),
  ...fields,
  emails: Emails(),
  custom_fields: CustomFields(),
  metadata: Metadata(),
  status: Enum(statuses, {
    description:
      'The status: `active`; `blocked`, who cannot write; `merged` into another end user; `erased`, whose data is gone.',
  }),
  block: Nullable(
    Shape({
      reason: Nullable(Text(1, 500), { description: 'The reason of whoever blocked the end user.' }),
      since: Timestamp({ description: 'The start of the block.' }),
      until: Nullable(Timestamp(), {
        description: 'The time at which it ends by itself; null if it does not.',
      }),
    }),
    { description: 'The block; null unless the status is `blocked`.' },
  ),
  legal_hold: Nullable(
    Shape({
      reason: LegalHoldReason(),
      since: Timestamp({ description: 'The start of the hold.' }),
    }),
    {
      description:
        'The legal hold, under which nothing of the end user is deleted or erased; null without one.',
    },
  ),
  merged_into_id: Nullable(Id('eu'), {
    description: 'The end user this one was merged into, always the final one; null if it was not merged.',
  }),
  verified_at: Nullable(Timestamp(), {
    description: 'The time at which the identity was first proved by a JWT; null for an unverified end user.',
  }),
  last_seen_at: Nullable(Timestamp(), {
    description: 'The time at which a session was last used, by the minute. It does not increase `version`.',
  }),
  ...revision,
})

export const endUserWire = defineWire<EndUser>({
  name: 'EndUser',
  schema: EndUserSchema,
  example: endUserExample,
  present: (row) => {
    const status = statusOf(row)
    return {
      id: typeId('eu', row.id),
      object: 'end_user',
      external_id: row.external_id,
      name: row.name,
      emails: row.emails,
      phones: row.phones,
      language: row.language,
      timezone: row.timezone,
      avatar_url: row.avatar_url,
      company_ids: row.company_ids.map((id) => typeId('co', id)),
      custom_fields: shownValues(row.custom_fields),
      metadata: row.metadata,
      status,
      block:
        status === 'blocked'
          ? { reason: row.block_reason, since: row.blocked_at, until: row.blocked_until }
          : null,
      legal_hold:
        row.legal_hold_since === null ? null : { reason: row.legal_hold_reason, since: row.legal_hold_since },
      merged_into_id: row.merged_into_id && typeId('eu', row.merged_into_id),
      verified_at: row.verified_at,
      last_seen_at: row.last_seen_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
      version: row.version,
    }
  },
})

const given = {
  name: Optional(fields.name),
  emails: Optional(NewEmails()),
  phones: Optional(fields.phones),
  language: Optional(fields.language),
  timezone: Optional(fields.timezone),
  avatar_url: Optional(fields.avatar_url),
  company_ids: Optional(fields.company_ids),
  custom_fields: Optional(NewCustomFields()),
}

export const NewEndUser = Shape({
  external_id: Optional(fields.external_id),
  ...given,
  metadata: Optional(Metadata()),
})
export type NewEndUser = Members<typeof NewEndUser>

const patched = {
  name: fields.name,
  emails: Nullable(NewEmails()),
  phones: Nullable(fields.phones),
  language: fields.language,
  timezone: fields.timezone,
  avatar_url: fields.avatar_url,
  company_ids: Nullable(fields.company_ids),
  custom_fields: CustomFieldsPatch(),
  metadata: MetadataPatch(),
}

export const EndUserPatch = PartialShape({ external_id: fields.external_id, ...patched })
export type EndUserPatch = Members<typeof EndUserPatch>

/** The path has the external id. */
export const EndUserUpsert = PartialShape(patched)
export type EndUserUpsert = Members<typeof EndUserUpsert>

export const EndUserFilters = Shape({
  external_id: Optional(
    Text(1, 255, { description: 'Return only the end user with this `external_id`, or whose alias it is.' }),
  ),
  email: Optional(Email({ description: 'Return only end users with this e-mail address, verified or not.' })),
  phone: Optional(Phone({ description: 'Return only end users with this phone number.' })),
  company_id: Optional(Id('co', { description: 'Return only end users of this company.' })),
  status: Optional(
    Enum(statuses, {
      description:
        'Return only end users with this status. By default, merged and erased ones are omitted, unless `filter` has a condition on the status.',
    }),
  ),
  q: Optional(
    Text(1, 500, {
      description:
        'Return only end users with all of these words in their name, addresses or external id, or with this beginning of their external id. The last word may be incomplete.',
    }),
  ),
  filter: Optional(FilterParameter('end users', { field: 'email', op: 'exists', value: true })),
})

export const Block = Shape({
  reason: Optional(Nullable(Text(1, 500), { description: 'The reason, for operators.' })),
  until: Optional(
    Nullable(Timestamp(), {
      description: 'The time at which the block ends by itself, in the future; null for never.',
    }),
  ),
})
export type Block = Members<typeof Block>

export const LegalHold = Shape({ reason: LegalHoldReason() })
export type LegalHold = Members<typeof LegalHold>

export const EndUserMerge = Shape({
  into_id: Id('eu', { description: 'The end user that remains.' }),
  dry_run: Optional(Flag({ default: false, description: 'Return what would happen, and change nothing.' })),
  keep_alias: Optional(
    Flag({
      default: false,
      description: 'Keep the external id of the merged end user as an alias, if both have one.',
    }),
  ),
})
export type EndUserMerge = Members<typeof EndUserMerge>

/** Fields that a merge compares. */
export const mergedFields = [
  'external_id',
  'name',
  'emails',
  'phones',
  'language',
  'timezone',
  'avatar_url',
  'company_ids',
  'custom_fields',
  'metadata',
] as const

export type EndUserMergeResult = {
  end_user: EndUser
  moved_conversations: number
  taken: string[]
  conflicts: { field: string; kept: unknown; dropped: unknown }[]
}

export const endUserMergeWire = defineWire<EndUserMergeResult>({
  name: 'EndUserMerge',
  schema: Shape({
    object: Enum(['end_user_merge']),
    end_user: Described('The remaining end user, as it is then.', EndUserSchema),
    moved_conversations: Int(0, 2147483647, {
      description: 'The number of conversations that now belong to the remaining end user.',
    }),
    taken: List(Enum([...mergedFields]), mergedFields.length, {
      description: 'The fields of the remaining end user that received something.',
    }),
    conflicts: List(
      Shape({
        field: Text(1, 100, { description: 'The field, or `custom_fields.` or `metadata.` and the key.' }),
        kept: Type.Unsafe<unknown>({ description: 'The value of the remaining end user.' }),
        dropped: Type.Unsafe<unknown>({ description: 'The value of the merged end user, which is dropped.' }),
      }),
      200,
      { description: 'The fields in which both had a value.' },
    ),
  }),
  example: {
    object: 'end_user_merge',
    end_user: endUserExample,
    moved_conversations: 3,
    taken: ['phones'],
    conflicts: [{ field: 'name', kept: 'Grace Hopper', dropped: 'Grace' }],
  },
  present: (row) => ({
    ...row,
    object: 'end_user_merge',
    end_user: endUserWire.present(row.end_user),
  }),
})
