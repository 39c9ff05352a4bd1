import { type Instant, parseInstant, plusSeconds } from '../../../platform/kernel/clock.ts'
import type { FieldError } from '../../../platform/kernel/errors.ts'
import type { ValueFault } from '../../../platform/resource/schema.ts'

/** The members of a new message that depend on each other. */
type Given = {
  author_side: string
  operator_id?: string | null
  body?: string
  body_format?: string
  attachments?: unknown[]
  template_id?: string | null
  variables?: object
  visibility?: string
  set_status?: string
  send_at?: string | null
  on_closed?: string
  email?: object
  mentions?: unknown[]
}
export const dependentMembers = [
  'author_side',
  'operator_id',
  'body',
  'body_format',
  'attachments',
  'template_id',
  'variables',
  'visibility',
  'set_status',
  'send_at',
  'on_closed',
  'email',
  'mentions',
] as const satisfies (keyof Given)[]

const contradictions: [pointer: string, detail: string, does: (input: Given) => boolean][] = [
  [
    '/visibility',
    'must be public for messages of the end user',
    ({ visibility, author_side }) => visibility === 'internal' && author_side === 'end_user',
  ],
  [
    '/set_status',
    'is allowed only for public messages of operators',
    ({ set_status, author_side, visibility }) =>
      set_status !== undefined && (author_side !== 'operator' || visibility === 'internal'),
  ],
  [
    '/email',
    'is allowed only for public messages of operators and the system',
    ({ email, author_side, visibility }) =>
      email !== undefined && (author_side === 'end_user' || visibility === 'internal'),
  ],
  [
    '/mentions',
    'is allowed only for internal notes of operators',
    ({ mentions = [], author_side, visibility }) =>
      mentions.length > 0 && (author_side !== 'operator' || visibility !== 'internal'),
  ],
  [
    '/operator_id',
    'is allowed only for messages of operators',
    ({ operator_id, author_side }) => operator_id != null && author_side !== 'operator',
  ],
  [
    '/body_format',
    'cannot be combined with template_id, unless body is set',
    ({ body, body_format, template_id }) =>
      body === undefined && body_format !== undefined && template_id != null,
  ],
  [
    '/variables',
    'cannot be combined with body',
    ({ body, variables, template_id }) =>
      body !== undefined && variables !== undefined && template_id != null,
  ],
  [
    '/variables',
    'requires template_id',
    ({ variables, template_id }) => variables !== undefined && template_id == null,
  ],
  [
    '/on_closed',
    'cannot be follow_up for internal notes, which closed conversations accept',
    ({ on_closed, visibility }) => on_closed === 'follow_up' && visibility === 'internal',
  ],
  [
    '/on_closed',
    'cannot be combined with send_at',
    ({ on_closed, send_at }) => on_closed === 'follow_up' && send_at != null,
  ],
  [
    '/send_at',
    'is not allowed for messages of the end user',
    ({ send_at, author_side }) => send_at != null && author_side === 'end_user',
  ],
]

/** The members of a new message that contradict each other. */
export function contradictionsIn(input: Given): ValueFault[] {
  const faults: ValueFault[] = contradictions
    .filter(([, , does]) => does(input))
    .map(([pointer, detail]) => ({ pointer, code: 'not_allowed', detail }))
  const isRendered = input.template_id != null && input.body === undefined
  if (isRendered || (input.attachments?.length ?? 0) > 0) return faults
  const detail = 'is required unless template_id is set, or files are attached'
  if (input.body === undefined) faults.push({ pointer: '/body', code: 'required', detail })
  if (input.body === '')
    faults.push({
      pointer: '/body',
      code: 'too_short',
      detail: 'must not be empty unless files are attached',
    })
  return faults
}

/** The maximum time until a scheduled message is sent. */
const maxDays = 365

export function faultsInSendAt(send_at: string | null | undefined, now: Instant): FieldError[] {
  const pointer = '/send_at'
  if (send_at == null) return []
  const at = parseInstant(send_at)!
  if (at <= now) return [{ pointer, code: 'too_small', detail: 'must be in the future' }]
  if (at <= plusSeconds(now, maxDays * 86_400)) return []
  return [{ pointer, code: 'too_large', detail: `must be at most ${maxDays} days ahead` }]
}
