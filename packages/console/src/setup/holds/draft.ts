import type { HoldReason } from '@backline/sdk'

export type HoldDraft = Pick<
  HoldReason,
  | 'name'
  | 'waiting_on'
  | 'pauses_sla'
  | 'resumes_on_reply'
  | 'requires_note'
  | 'default_duration_seconds'
  | 'max_duration_seconds'
  | 'on_expiry'
  | 'follow_up'
> & { description: string }
