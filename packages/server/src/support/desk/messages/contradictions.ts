import { type Instant, parseInstant, plusSeconds } from '../../../platform/kernel/clock.ts'
import type { FieldError } from '../../../platform/kernel/errors.ts'
import type { NewMessage } from './schema.ts'

const contradictions: [pointer: string, detail: string, does: (input: NewMessage) => boolean][] = [
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
    '/operator_id',
    'is allowed only for messages of operators',
    ({ operator_id, author_side }) => operator_id != null && author_side !== 'operator',
  ],
  [
    '/body',
    'cannot be combined with template_id',
    ({ body, template_id }) => body !== undefined && template_id != null,
  ],
  [
    '/body_format',
    'cannot be combined with template_id',
    ({ body_format, template_id }) => body_format !== undefined && template_id != null,
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
]

/** The members of a new message that contradict each other. */
export function contradictionsIn(input: NewMessage): FieldError[] {
  const faults: FieldError[] = contradictions
    .filter(([, , does]) => does(input))
    .map(([pointer, detail]) => ({ pointer, code: 'not_allowed', detail }))
  if (input.template_id != null || (input.attachments?.length ?? 0) > 0) return faults
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

export function faultsInSendAt({ send_at, author_side, on_closed }: NewMessage, now: Instant): FieldError[] {
  const pointer = '/send_at'
  if (send_at == null) return []
  const at = parseInstant(send_at)!
  const faults: FieldError[] = []
  if (author_side === 'end_user')
    faults.push({ pointer, code: 'not_allowed', detail: 'is not allowed for messages of the end user' })
  if (at <= now) faults.push({ pointer, code: 'too_small', detail: 'must be in the future' })
  if (at > plusSeconds(now, maxDays * 86_400))
    faults.push({ pointer, code: 'too_large', detail: `must be at most ${maxDays} days ahead` })
  if (on_closed === 'follow_up')
    faults.push({ pointer: '/on_closed', code: 'not_allowed', detail: 'cannot be combined with send_at' })
  return faults
}
