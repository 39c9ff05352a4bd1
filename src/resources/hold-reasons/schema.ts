import {
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
} from '../../http/schema.ts'
import { defineWire } from '../../http/wire.ts'
import { typeId } from '../../lib/ids.ts'
import type { HoldReason } from './queries.ts'

const tenYears = 10 * 365 * 24 * 60 * 60

const followUp = {
  every_seconds: Int(1, tenYears, {
    description: 'The time from the beginning, and then from one to the next.',
  }),
  template_id: Id('tmpl', { description: 'The message template that is sent.' }),
  max_count: Int(1, 100, { description: 'After so many there are no more.' }),
}
const followUpNotes = { description: 'Messages to the end user while a hold lasts; null for none.' }
const FollowUp = Shape(followUp)
export type FollowUp = Members<typeof FollowUp>
const FollowUpPatch = PartialShape(followUp)
export type FollowUpPatch = Members<typeof FollowUpPatch>

/** `notes` says what is to be noted of a field that is this value unless a new hold reason names another. */
const fieldsWith = (notes: (value: unknown) => { default?: unknown }) => ({
  name: Name(50, { description: 'Unique without regard to case.' }),
  description: Nullable(Text(1, 500)),
  waiting_on: Enum(['third_party', 'end_user', 'operator'], {
    description: 'Whom a conversation on hold waits for.',
    ...notes('third_party'),
  }),
  pauses_sla: Flag({ description: 'Do SLA clocks stand still?', ...notes(true) }),
  resumes_on_reply: Flag({ description: "Does the end user's message end the hold?", ...notes(true) }),
  requires_note: Flag({ description: 'Must a hold say why in a note?', ...notes(false) }),
  default_duration_seconds: Nullable(Int(1, tenYears), {
    description: 'How long a hold lasts that says nothing; null for no end. At most `max_duration_seconds`.',
  }),
  max_duration_seconds: Nullable(Int(1, tenYears), { description: 'The longest hold; null for no limit.' }),
  on_expiry: Enum(['resume', 'resolve', 'none'], {
    description: 'What happens to the conversation at the end of the time.',
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
    archived: Flag(),
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
  archived: Optional(Flag({ default: false })),
})
export type NewHoldReason = Members<typeof NewHoldReason>

export const HoldReasonPatch = PartialShape({
  ...fields,
  follow_up: Nullable(FollowUpPatch, {
    description: 'Merges member by member; what comes of it must be complete. Null for none.',
  }),
  archived: Flag(),
})
export type HoldReasonPatch = Members<typeof HoldReasonPatch>
