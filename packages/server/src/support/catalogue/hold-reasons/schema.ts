import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Enum,
  Flag,
  Id,
  Int,
  type Members,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { HoldReason } from './queries.ts'

const tenYears = 10 * 365 * 24 * 60 * 60

const followUp = {
  every_seconds: Int(1, tenYears, {
    description: 'Seconds from the start of the hold to the first message, and between messages.',
  }),
  template_id: Id('tmpl', { description: 'The message template to send.' }),
  max_count: Int(1, 100, { description: 'The maximum number of messages during one hold.' }),
}
const followUpNotes = {
  description:
    'Follow-up messages to the end user during a hold; null means none. To set them, and to begin a hold with them, also requires the scope `messages:write`.',
}
const FollowUp = Shape(followUp)
export type FollowUp = Members<typeof FollowUp>
const FollowUpPatch = PartialShape(followUp)
export type FollowUpPatch = Members<typeof FollowUpPatch>

/** `notes` returns the schema notes of a field with this default value. */
const fieldsWith = (notes: (value: unknown) => { default?: unknown }) => ({
  name: Name(50, { description: 'The name, unique regardless of case.' }),
  description: Nullable(Text(1, 500), { description: 'When to use the hold reason.' }),
  waiting_on: Enum(['third_party', 'end_user', 'operator'], {
    description: 'The side that a conversation on hold is waiting on.',
    ...notes('third_party'),
  }),
  pauses_sla: Flag({ description: 'Whether SLA clocks pause during the hold.', ...notes(true) }),
  resumes_on_reply: Flag({
    description: 'Whether a message from the end user ends the hold.',
    ...notes(true),
  }),
  requires_note: Flag({ description: 'Whether a hold requires a note.', ...notes(false) }),
  default_duration_seconds: Nullable(Int(1, tenYears), {
    description:
      'Duration of a hold without an `until`, at most `max_duration_seconds`; null means the maximum duration, or no end if there is none.',
  }),
  max_duration_seconds: Nullable(Int(1, tenYears), {
    description: 'The maximum duration of a hold; null means no limit.',
  }),
  on_expiry: Enum(['resume', 'resolve', 'none'], {
    description: 'The action taken when the hold expires; with `none`, the conversation stays on hold.',
    ...notes('resume'),
  }),
})
const fields = fieldsWith(() => ({}))
const newFields = fieldsWith((value) => ({ default: value }))

export const holdReasonExample = {
  id: 'hold_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'hold_reason',
  name: 'Waiting for the carrier',
  description: null,
  waiting_on: 'third_party',
  pauses_sla: true,
  resumes_on_reply: true,
  requires_note: false,
  default_duration_seconds: 259200,
  max_duration_seconds: 1209600,
  on_expiry: 'resume',
  follow_up: { every_seconds: 86400, template_id: 'tmpl_01kah1t3v8fk5s5m0q9e7p2wzr', max_count: 3 },
  archived: false,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const holdReasonWire = defineWire<HoldReason>({
  name: 'HoldReason',
  schema: Shape({
    id: Id('hold'),
    object: Enum(['hold_reason']),
    ...fields,
    follow_up: Nullable(FollowUp, followUpNotes),
    archived: Archived(),
    ...revision,
  }),
  example: holdReasonExample,
  present: (row) => ({
    ...row,
    id: typeId('hold', row.id),
    object: 'hold_reason',
    follow_up: row.follow_up && {
      every_seconds: row.follow_up.every_seconds,
      template_id: typeId('tmpl', row.follow_up.template_id),
      max_count: row.follow_up.max_count,
    },
  }),
})

export const NewHoldReason = Shape({
  name: newFields.name,
  description: Optional(newFields.description),
  waiting_on: Optional(newFields.waiting_on),
  pauses_sla: Optional(newFields.pauses_sla),
  resumes_on_reply: Optional(newFields.resumes_on_reply),
  requires_note: Optional(newFields.requires_note),
  default_duration_seconds: Optional(newFields.default_duration_seconds),
  max_duration_seconds: Optional(newFields.max_duration_seconds),
  on_expiry: Optional(newFields.on_expiry),
  follow_up: Optional(Nullable(FollowUp, followUpNotes)),
  archived: Optional(Archived({ default: false })),
})
export type NewHoldReason = Members<typeof NewHoldReason>

export const HoldReasonPatch = PartialShape({
  ...fields,
  follow_up: Nullable(FollowUpPatch, {
    description:
      'Merged field by field; the result must be complete. Null means no follow-ups; anything else also requires the scope `messages:write`.',
  }),
  archived: Archived(),
})
export type HoldReasonPatch = Members<typeof HoldReasonPatch>
