import { type Instant, parseInstant } from '../../../platform/kernel/clock.ts'
import type { FieldError } from '../../../platform/kernel/errors.ts'
import {
  Enum,
  List,
  type Members,
  Metadata,
  Name,
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
  Type,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { sides, statuses } from '../../desk/conversations/lifecycle.ts'
import {
  Channel,
  Initiator,
  LanguageTag,
  maxParticipants,
  Priority,
  Subject,
} from '../../desk/conversations/schema.ts'
import { maxAttachments } from '../../desk/messages/attachments/schema.ts'
import { Filename } from '../../files/schema.ts'
import { maxCompanies } from '../../people/end-users/schema.ts'
import { NewCustomFields } from '../../properties/custom-fields/values/schema.ts'
import { bodyFormats, maxTags } from '../../vocabulary/conversations.ts'

/** An external id that a line refers to. */
export const ExternalReference = (notes = {}) => Text(1, 255, notes)
const Reference = () => Optional(Nullable(ExternalReference()))
/** A time that may be missing. */
export const Time = () => Optional(Nullable(Timestamp()))

export const maxCompaniesOfLine = maxCompanies

/** A conversation as it was in the source. */
export const ConversationLine = WithCheck(
  Shape({
    type: Enum(['conversation']),
    external_id: ExternalReference(),
    end_user_external_id: ExternalReference(),
    company_external_id: Reference(),
    participant_external_ids: Optional(List(ExternalReference(), maxParticipants)),
    subject: Optional(Subject()),
    initiated_by_side: Optional(Initiator()),
    channel: Optional(Channel()),
    priority: Optional(Priority()),
    language: Optional(LanguageTag()),
    status: Optional(Enum(statuses)),
    hold: Optional(
      Nullable(
        Shape({
          reason: Optional(Name(50)),
          note: Optional(Nullable(Text(1, 2000))),
          since: Time(),
        }),
      ),
    ),
    department_external_id: Reference(),
    category_external_id: Reference(),
    assignee_external_id: Reference(),
    tags: Optional(List(Text(1, 50), maxTags)),
    tag_external_ids: Optional(List(ExternalReference(), maxTags)),
    follow_up_of_external_id: Reference(),
    merged_into_external_id: Reference(),
    custom_fields: Optional(NewCustomFields()),
    metadata: Optional(Metadata()),
    created_at: Timestamp(),
    updated_at: Time(),
    resolved_at: Time(),
    closed_at: Time(),
    first_response_at: Time(),
  }),
  ({ status = 'open', merged_into_external_id: merged, hold, external_id, follow_up_of_external_id }) => [
    ...(merged != null && status !== 'closed'
      ? [
          {
            pointer: '/merged_into_external_id',
            code: 'not_allowed' as const,
            detail: 'requires the status closed',
          },
        ]
      : []),
    ...(hold != null && status !== 'on_hold'
      ? [{ pointer: '/hold', code: 'not_allowed' as const, detail: 'requires the status on_hold' }]
      : []),
    ...(['merged_into_external_id', 'follow_up_of_external_id'] as const).flatMap((name) =>
      (name === 'merged_into_external_id' ? merged : follow_up_of_external_id) === external_id
        ? [{ pointer: `/${name}`, code: 'not_allowed' as const, detail: 'must be another conversation' }]
        : [],
    ),
  ],
  ['status', 'hold', 'external_id', 'merged_into_external_id', 'follow_up_of_external_id'],
)
export type ConversationLine = Members<typeof ConversationLine>

const Attachment = WithCheck(
  Shape({
    file_id: Optional(Text(1, 64)),
    url: Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    filename: Optional(Filename()),
    disposition: Optional(Enum(['attachment', 'inline'])),
  }),
  ({ file_id, url }) =>
    (file_id === undefined) === (url === undefined)
      ? [{ pointer: '/url', code: 'required' as const, detail: 'either url or file_id is required' }]
      : [],
)

/** A message or note as it was in the source. */
export const MessageLine = WithCheck(
  Shape({
    type: Enum(['message']),
    external_id: ExternalReference(),
    conversation_external_id: ExternalReference(),
    author_side: Enum(sides),
    operator_external_id: Reference(),
    author_end_user_external_id: Reference(),
    body: Optional(Text(0, 65_536)),
    body_format: Optional(Enum(bodyFormats)),
    visibility: Optional(Enum(['public', 'internal'])),
    in_reply_to_external_id: Reference(),
    metadata: Optional(Metadata()),
    attachments: Optional(List(Attachment, maxAttachments)),
    created_at: Timestamp(),
    edited_at: Time(),
  }),
  ({
    author_side,
    operator_external_id,
    author_end_user_external_id,
    visibility,
    body = '',
    attachments = [],
  }) => {
    const faults: FieldFault[] = []
    const add = (name: string, detail: string, code: FieldFault['code'] = 'not_allowed') =>
      faults.push({ pointer: `/${name}`, code, detail })
    if (operator_external_id != null && author_side !== 'operator')
      add('operator_external_id', 'is allowed only for messages of operators')
    if (author_end_user_external_id != null && author_side !== 'end_user')
      add('author_end_user_external_id', 'is allowed only for messages of the end user side')
    if (visibility === 'internal' && author_side === 'end_user')
      add('visibility', 'must be public for messages of the end user')
    if (body === '' && attachments.length === 0)
      add('body', 'must not be empty unless files are attached', 'too_short')
    return faults
  },
  ['author_side', 'operator_external_id', 'author_end_user_external_id', 'visibility', 'body', 'attachments'],
)
export type MessageLine = Members<typeof MessageLine>
type FieldFault = { pointer: string; code: FieldError['code']; detail: string }

const earliest: Instant = '1970-01-01T00:00:00.000Z'

/** Times of history lie between 1970 and now. */
export function faultsOfTimes(
  line: Record<string, unknown>,
  now: Instant,
  names: readonly string[],
  within = '',
): FieldError[] {
  return names.flatMap((name): FieldError[] => {
    const value = line[name]
    const at = typeof value === 'string' ? parseInstant(value) : null
    if (at === null) return [] // the schema has told
    const pointer = `${within}/${name}`
    if (at < earliest) return [{ pointer, code: 'too_small', detail: 'must not be before 1970' }]
    return at > now ? [{ pointer, code: 'too_large', detail: 'must not be in the future' }] : []
  })
}

export const timesOfConversations = [
  'created_at',
  'updated_at',
  'resolved_at',
  'closed_at',
  'first_response_at',
] as const
export const timesOfMessages = ['created_at', 'edited_at'] as const

/** A time that the schema has checked. */
export const instantOf = (text: string | null | undefined): Instant | null =>
  text == null ? null : parseInstant(text)
